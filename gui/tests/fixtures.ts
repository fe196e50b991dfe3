import { test as base, expect, type Page } from '@playwright/test'
import { passwordOf, startTestServer, type TestBank, type TestServer } from './bank.ts'

/**
 * Fixtures of the tests in the browser: a whole service for each worker, and signing in.
 *
 * A test costs one to two seconds of a processor, most of it for its page. To keep it at that:
 *
 * * `open` takes a session that is there already; `signIn` is for tests of signing in.
 * * Prepare by the API (`bank.as('ann')`, `bank.change`), and look at what the page adds.
 * * `expectGoodEverywhere` checks a state of a page in all themes and widths; check each state once.
 * * Wait for what the page shows. What takes longer than a second in the product is moved by `page.clock`.
 *
 * The files of a worker share its service and run one after another in any order, alone or with any others:
 *
 * * A file that changes what others may see takes a project and users of its own by `test.use({ ownProject: true })`:
 *   `bank.path` is then a project like `bank`, which only `ann` and `bob` of this file see; `open` and `bank.as` take
 *   these for `ann` and `bob`, and `bank.username('ann')` is what the page calls her.
 * * Elsewhere the project `bank` is only read, apart from changes, which each test tells from others by their id.
 * * What belongs to the whole installation (settings, maintenance, retention rules) is restored by the test itself;
 *   changes and workflow runs that it leaves in progress are cancelled.
 * * Names that a test gives are in no other test. A failed test gets a new service after it, so nothing is cleaned up
 *   only because a test may fail.
 */

interface Options {
  /** Problems on the console that a test provokes, by `test.use`. */
  readonly provokes: RegExp | undefined
  /** Whether the spec file has a project of its own in place of `bank`, with its own `ann` and `bob`. */
  readonly ownProject: boolean
}

interface Fixtures {
  readonly bank: TestBank
  /** Opens a page as a person, in a session that all tests of this process share; tests of signing in use `signIn`. */
  readonly open: (path: string, person?: string, page?: Page) => Promise<void>
}

export const test = base.extend<Options & Fixtures, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const server = await startTestServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  provokes: [undefined, { option: true }],
  ownProject: [false, { option: true }],

  bank: async ({ server, ownProject }, use, info) => {
    await use(await server.bank(ownProject ? info.file : undefined))
    // After a failed one there is a new service.
    if (info.status === info.expectedStatus) await server.endWork()
  },

  baseURL: async ({ server }, use) => use(server.address),

  page: async ({ page, provokes }, use) => {
    const problems = problemsOf(page)
    await use(page)
    const unexpected = problems.filter(each => !provokes?.test(each))
    expect(unexpected, 'errors on the console of the page').toEqual([])
  },

  open: async ({ page, bank, server }, use) => {
    await use(async (path, person = 'ann', on = page) => {
      const cookie = await server.session(bank.username(person))
      // The browser refuses a Secure cookie for an http URL from here, though it takes it from the service on localhost.
      const url = server.address.replace('http:', 'https:')
      await on.context().addCookies([{ ...cookie, url, httpOnly: true, secure: true, sameSite: 'Strict' }])
      await on.goto(path)
      // A dialog of the address hides it from assistive technology.
      await expect(on.getByRole('navigation', { name: 'Main navigation', includeHidden: true })).toBeVisible()
    })
  },
})

export { expect } from '@playwright/test'
export { expectGoodEverywhere, expectNoSidewaysScroll } from './accessibility.ts'
export { passwordOf, type TestBank } from './bank.ts'

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
