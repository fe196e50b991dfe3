import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { Change } from '#client/generated/api.ts'
import { connect, type Resource, type Sluice, startSession, until } from '#client/sluice.ts'
import type { Command, Report } from './server-messages.ts'

/** Fixtures of the tests in the browser: a whole service with an example project, and signing in. */

export interface TestBank {
  readonly address: string
  /** API client of a user, to prepare and to look behind the page. */
  as(user: string): Sluice
  /** Creates a change in the environment `test`; the asset is `front` unless given. */
  change(action: string, options?: { asset?: string; attributes?: object; as?: string }): Promise<Resource<Change>>
  /** Waits until a change has a status. */
  reaches(id: string, status: string): Promise<Resource<Change>>
  /** Ends the service as a crash would, and starts it again at the same address. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Lets every agent look as one that runs: no request starts one yet. */
  runAgents(): Promise<void>
  /** Ends the runners of all activities as a crash would. */
  loseRunners(): Promise<void>
}

interface Fixtures {
  /** Problems on the console that a test provokes, by `test.use`. */
  readonly provokes: RegExp | undefined
  /** Opens a page as a user, in a session that all tests of this process share; tests of signing in use `signIn`. */
  readonly open: (path: string, user?: string, page?: Page) => Promise<void>
}

export const passwordOf = (user: string): string => `the password of ${user}`

export const test = base.extend<Fixtures, { bank: TestBank }>({
  bank: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const child = fork(join(import.meta.dirname, 'test-server.ts'), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const [{ address }] = (await firstMessage(child)) as [{ address: string }]
      await use(bankAt(address, command => send(child, command)))
      await send(child, 'stop')
      if (child.exitCode === null) await once(child, 'exit')
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  baseURL: async ({ bank }, use) => use(bank.address),

  provokes: [undefined, { option: true }],

  page: async ({ page, provokes }, use) => {
    const problems = problemsOf(page)
    await use(page)
    const unexpected = problems.filter(each => !provokes?.test(each))
    expect(unexpected, 'errors on the console of the page').toEqual([])
  },

  open: async ({ page, bank }, use) => {
    await use(async (path, user = 'ann', on = page) => {
      await on.context().addCookies([await sessionOf(bank.address, user)])
      await on.goto(path)
      await expect(on.getByRole('navigation', { name: 'Main navigation' })).toBeVisible()
    })
  },
})

export { expect } from '@playwright/test'

/** Fills in the form for signing in, and waits until the shell is there. */
export async function signIn(page: Page, user: string): Promise<void> {
  await page.getByLabel('User name').fill(user)
  await page.getByLabel('Password').fill(passwordOf(user))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible()
}

/** Console errors and violations of the Content-Security-Policy; refused requests are part of some tests. */
function problemsOf(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', message => {
    const isNetwork = /^Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isNetwork) problems.push(message.text())
  })
  return problems
}

/** Asserts that axe finds nothing, with all of its rules for WCAG 2.2 AA and best practices. */
async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`,
  )
  expect(found).toEqual([])
}

/**
 * Asserts that a page is accessible and does not scroll sideways, in both themes and in a narrow and a wide window.
 *
 * @param isThere waits until the page shows what it should, after each change of its size
 */
export async function expectGoodEverywhere(page: Page, isThere: () => Promise<void>): Promise<void> {
  for (const width of [360, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await isThere()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
}

/** Asserts that the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]
const sessions = new Map<string, Promise<Cookie>>()

/** Cookie of a session of the user, started once. */
function sessionOf(address: string, user: string): Promise<Cookie> {
  const key = `${user} ${address}`
  const session = sessions.get(key) ?? startSession(address, { user, password: passwordOf(user) }).then(cookieOf)
  sessions.set(key, session)
  return session

  function cookieOf({ headers }: { headers: Headers }): Cookie {
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(headers.getSetCookie()[0] ?? '') ?? []
    // The browser refuses a Secure cookie for an http URL from here, though it takes it from the service on localhost.
    return { name, value, url: address.replace('http:', 'https:'), httpOnly: true, secure: true, sameSite: 'Strict' }
  }
}

async function firstMessage(child: ChildProcess): Promise<unknown[]> {
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The test server ended with ${code}`)
  })
  return Promise.race([once(child, 'message'), failed])
}

async function send(child: ChildProcess, command: Command): Promise<void> {
  child.send(command)
  for (;;) {
    const [report] = (await once(child, 'message')) as [Report]
    if ('done' in report && report.done === command) return
  }
}

function bankAt(address: string, command: (name: Command) => Promise<void>): TestBank {
  const as = (user: string) => connect(address, { user, password: passwordOf(user) })
  return {
    address,
    as,
    change: (action, { asset = 'front', attributes = {}, as: user = 'ann' } = {}) =>
      as(user).create<Change>(`/api/projects/bank/environments/test/assets/${asset}/changes`, {
        action,
        ...attributes,
      }),
    reaches: (id, status) =>
      until(
        `change ${id} is ${status}`,
        () => as('admin').show<Change>(`/api/changes/${id}`),
        ({ attributes }) => attributes.status_code === status,
      ),
    kill: () => command('kill'),
    start: () => command('start'),
    runAgents: () => command('run agents'),
    loseRunners: () => command('lose runners'),
  }
}
