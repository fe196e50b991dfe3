import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { compiledCode } from '../../tests/support/compiled-code.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

const program = `'${process.execPath}' '${join(import.meta.dirname, '../../cli/sluice.ts')}'`

/** Commands that the page offers, read from its dialog. */
async function offered(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'As a command' }).click()
  const dialog = page.getByRole('dialog', { name: 'As a command' })
  const commands = await dialog.locator('code').allTextContents()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  return commands
}

/** Runs a command of a page as its user would, and returns what it prints. */
async function printed(command: string, url: string, token: string): Promise<string> {
  const line = command.replace(/^sluice /, `${program} `)
  const env = { ...process.env, SLUICE_URL: url, SLUICE_TOKEN: token, NO_COLOR: '1', ...compiledCode }
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env })
  return stdout
}

interface Place {
  /** Component of the route, as the table of routes names it. */
  readonly page: string
  /** Address, with places for the codes and ids of the test. */
  readonly at: string
  readonly person?: string
  /** What the commands print. */
  readonly shown: RegExp
}

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')

/** Components in the table of routes. */
const routes = [...read('routes.tsx').matchAll(/import\('\.\/pages\/[^']+'\), '(\w+)'\)/g)].map(([, name]) => name!)

/** Parts of the administration in their table. */
const adminParts = [...read('pages/admin/parts.ts').matchAll(/^ {4}id: '([^']+)'/gm)].map(([, id]) => id!)

const front = '/projects/$bank/environments/test/assets/front'

/** Pages by their addresses; each route has at least one. */
const places: readonly Place[] = [
  { page: 'DashboardPage', at: '/', shown: /active_count/ },
  { page: 'ActivitiesPage', at: '/activities?status=%5B%22success%22%5D&path=front', shown: /deploy/ },
  { page: 'AuditPage', at: '/audit?type=changes%3A', shown: /api:changes:create/ },
  { page: 'ApprovalsPage', at: '/approvals', shown: /^/ },
  { page: 'SchedulesPage', at: '/schedules', shown: /^/ },
  { page: 'TemplatesPage', at: '/templates?q=a', shown: /^/ },
  { page: 'TemplatePage', at: '/templates/$bank/web', shown: /web[\s\S]*ready/ },
  { page: 'TemplatePage', at: '/templates/$bank/web?tab=nodes', shown: /front/ },
  { page: 'VersionPage', at: '/templates/$bank/web/1.0', shown: /ready/ },
  { page: 'WorkflowsPage', at: '/workflows', shown: /^/ },
  { page: 'WorkflowPage', at: '/workflows/$bank/commands', shown: /Commands[\s\S]*draft/ },
  { page: 'WorkflowPage', at: '/workflows/$bank/commands?tab=runs', shown: /Commands/ },
  { page: 'AgentsPage', at: '/agents?archived=true', shown: /^/ },
  { page: 'AllProjects', at: '/projects', shown: /bank/ },
  { page: 'NodePage', at: front, shown: /front/ },
  { page: 'NodePage', at: `${front}?tab=properties`, shown: /front/ },
  { page: 'NodePage', at: `${front}?tab=settings`, shown: /front/ },
  { page: 'NodePage', at: `${front}?tab=activities`, shown: /deploy/ },
  { page: 'NodePage', at: `${front}?tab=schedules`, shown: /front/ },
  { page: 'NodePage', at: `${front}?tab=bookmarks`, shown: /front/ },
  { page: 'NodePage', at: '/projects/$bank?tab=remotes', shown: /code/ },
  { page: 'NodePage', at: `${front}?tab=access`, shown: /"username": "ann/ },
  {
    page: 'ComparePage',
    at: '/compare?a=/projects/$bank&b=/projects/$bank/environments/live',
    shown: /node_comparison/,
  },
  { page: 'ActivityPage', at: '/activities/$change', shown: /deploy/ },
  { page: 'AccountPage', at: '/me', shown: /ann-?\d* at http/ },
  { page: 'AccessPage', at: '/access?view=check&path=%2Fprojects%2F$bank&right=update', shown: /\/projects\/bank/ },
  { page: 'AccessPage', at: '/access', person: 'admin', shown: /superuser/ },
  { page: 'AccessPage', at: '/access?view=users&find=ann', person: 'admin', shown: /ann/ },
  { page: 'AccessPage', at: '/access?view=paths', person: 'admin', shown: /\/projects\/bank/ },
  { page: 'AccessPage', at: '/access?view=groups', person: 'admin', shown: /^/ },
  { page: 'PolicyPage', at: '/access/policies/$policy', person: 'admin', shown: /superuser/ },
  { page: 'UserPage', at: '/access/users/$ann', person: 'admin', shown: /ann/ },
  ...adminParts.map(id => ({ page: 'AdminPage', at: `/admin/${id}`, person: 'admin', shown: /^/ })),
]

test('every route has commands', () => {
  expect(routes.length).toBeGreaterThan(15)
  // The page of the tree, which holds the others of projects.
  const frame = 'ProjectsPage'
  expect(routes.filter(each => each !== frame && !places.some(({ page }) => page === each))).toEqual([])
  expect(adminParts.length).toBeGreaterThan(10)
})

for (const people of ['ann', 'admin'])
  test(`the commands of each page show ${people} on the command line what it shows`, async ({ page, open, bank }) => {
    test.slow()
    const { id } = await bank.reaches((await bank.change('deploy')).id, 'success')
    const workflows = `/api${bank.path}/workflows`
    if ((await bank.as('ann').list(workflows, { 'filter[code_eq]': 'commands' })).length === 0) {
      const source = 'steps: [{ target: environments/test/assets/front, action: check }]\n'
      await bank.as('ann').create(workflows, { code: 'commands', name: 'Commands', source_yaml: source })
    }
    const [policy] = await bank.as('admin').list('/api/authorisation_policies', { 'filter[name_eq]': 'superuser' })
    const attributes = { description: 'commands of pages', expires_at: new Date(Date.now() + 3_600_000).toISOString() }
    const token = await bank.as(people).send('POST', '/api/tokens', { data: { attributes } })
    const run = (command: string) => printed(command, bank.address, String(token?.meta?.['token']))
    for (const { at, person = 'ann', shown } of places) {
      if (person !== people) continue
      const values = { $change: id, $policy: policy!.id, $bank: bank.code, $ann: bank.username('ann') }
      const address = at.replaceAll(/\$\w+/g, name => values[name as keyof typeof values])
      await open(address, person)
      const commands = await offered(page)
      expect(commands.length, address).toBeGreaterThan(0)
      const texts = await Promise.all(commands.map(run))
      expect(texts.join('\n'), address).toMatch(shown)
    }
  })

test('the dialog of a long command is accessible, and the command can be copied', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(`/activities?status=%5B%22success%22%2C%22error%22%5D&path=${'front'.repeat(20)}`)
  await page.getByRole('button', { name: 'As a command' }).click()
  const dialog = page.getByRole('dialog', { name: 'As a command' })
  await expectGoodEverywhere(page, () => expect(dialog.getByText('status_code_in=success,error')).toBeVisible())
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copied the command')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^sluice list activities .*path_cont=front/)
})
