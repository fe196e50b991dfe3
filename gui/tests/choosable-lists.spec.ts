import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, type TestBank, test } from './fixtures.ts'
import { robots } from './robots.ts'

test.use({ ownProject: true })

interface List {
  /** File below `gui/pages` that draws the table. */
  readonly file: string
  /** Name of the list in the preferences. */
  readonly name: string
  /** Name of its table. */
  readonly table: string
  readonly person?: string
  /** Prepares at least one record, and answers the address. */
  readonly at: (bank: TestBank) => string | Promise<string>
}

const asset = ({ path }: TestBank) => `${path}/environments/test/assets/front`

async function runs(bank: TestBank): Promise<string> {
  const workflows = `/api${bank.path}/workflows`
  const { as } = bank
  if ((await as('ann').list(workflows)).length === 0) {
    const source = 'steps: [{ target: environments/test/assets/front, action: check }]\n'
    await as('ann').create(workflows, { code: 'columns', name: 'Columns', source_yaml: source, draft: false })
    await as('ann').create(`${workflows}/columns/runs`, {})
  }
  return `/workflows/${bank.code}/columns`
}

async function schedules(bank: TestBank): Promise<string> {
  const path = `/api${asset(bank)}/scheduled_activities`
  if ((await bank.as('ann').list(path)).length === 0)
    await bank.as('ann').create(path, { action: 'check', cron_schedule: '30 2 * * *', time_zone: 'UTC' })
  return asset(bank)
}

/** All lists with more than four columns. */
const lists: readonly List[] = [
  {
    file: 'activities/activities-page',
    name: 'activities',
    table: 'Activities',
    at: ran('check', () => '/activities'),
  },
  {
    file: 'projects/tabs/activities-tab',
    name: 'node_activities',
    table: 'Activities of this node',
    at: ran('check', bank => `${bank.path}/environments/test?tab=activities`),
  },
  {
    file: 'activity/artefacts-tab',
    name: 'artefacts',
    table: 'Artefacts',
    at: ran('keep-report', (_, id) => `/activities/${id}?tab=artefacts`),
  },
  { file: 'audit/audit-page', name: 'events', table: 'Events', at: () => '/audit' },
  { file: 'templates/templates-page', name: 'templates', table: 'Templates', at: () => '/templates' },
  {
    file: 'schedules/schedule-list',
    name: 'scheduled_activities',
    table: 'Schedules',
    at: async bank => `/schedules?under=${await schedules(bank)}`,
  },
  {
    file: 'schedules/schedules-tab',
    name: 'node_schedules',
    table: 'Schedules',
    at: async bank => `${await schedules(bank)}?tab=schedules`,
  },
  {
    file: 'workflows/workflows-page',
    name: 'workflows',
    table: 'Workflows',
    at: bank => runs(bank).then(() => '/workflows'),
  },
  {
    file: 'workflows/runs-tab',
    name: 'workflow_runs',
    table: 'Runs of the workflow',
    at: async bank => `${await runs(bank)}?tab=runs`,
  },
  {
    file: 'workflows/versions-tab',
    name: 'workflow_versions',
    table: 'Versions',
    at: async bank => `${await runs(bank)}?tab=versions`,
  },
  {
    file: 'agents/agents-page',
    name: 'agents',
    table: 'Agents',
    person: 'admin',
    at: bank => robots(bank).then(() => '/agents'),
  },
  { file: 'access/users', name: 'users', table: 'Users', person: 'admin', at: () => '/access?view=users' },
  { file: 'access/policies', name: 'authorisation_policies', table: 'Policies', person: 'admin', at: () => '/access' },
  { file: 'approvals/decided', name: 'decisions', table: 'Decided by me', person: 'bob', at: decided },
  {
    file: 'admin/operations/jobs-part',
    name: 'jobs',
    table: 'Background jobs',
    person: 'admin',
    at: () => '/admin/jobs',
  },
  {
    file: 'admin/operations/workers-part',
    name: 'workers',
    table: 'Processes of the service',
    person: 'admin',
    at: () => '/admin/workers',
  },
]

/** Runs an action of the asset, and answers the address of what comes of it. */
function ran(action: string, addressOf: (bank: TestBank, id: string) => string): List['at'] {
  return async bank => {
    const { id } = await bank.change(action)
    await bank.reaches(id, 'success')
    return addressOf(bank, id)
  }
}

async function decided(bank: TestBank): Promise<string> {
  const { id } = await bank.change('rollout')
  await bank.reaches(id, 'waiting_for_approval')
  const [step] = await bank
    .as('bob')
    .list(`/api/changes/${id}/steps`, { 'filter[status_code_eq]': 'waiting_for_approval' })
  await bank.as('bob').create(`/api/steps/${step!.id}/approve`, {})
  return '/approvals?view=decided'
}

for (const { file, name, table, person = 'ann', at } of lists)
  test(`the columns of ${name} (${file}) are chosen, and kept with the account`, async ({ page, open, bank }) => {
    await open(await at(bank), person)
    const headings = page.getByRole('table', { name: table, exact: true }).getByRole('columnheader')
    await expect(headings.nth(3)).toBeVisible()
    const before = await headings.count()
    await page.getByRole('button', { name: 'Columns…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    await expect(dialog.getByText('always shown').first()).toBeVisible()
    const chosen = dialog.getByRole('listitem').filter({ has: page.getByRole('checkbox', { checked: true }) })
    const column = await chosen.last().getAttribute('data-column')
    await dialog.locator(`[data-column="${column}"] input`).uncheck()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(headings).toHaveCount(before - 1)
    await expect(page).toHaveURL(/[?&]columns=/)
    await expect.poll(async () => (await chosenOf(bank, person, name))?.includes(column!)).toBe(false)
    // Without the choice in the address the preference shows it.
    await page.goto(withoutColumns(page.url()))
    await expect(headings).toHaveCount(before - 1)
    await expectNamesOfColumns(page)
    await bank.as(person).update('/api/me/preferences', { data: { columns: null } })
  })

/** Columns that the preferences hold for a list. */
async function chosenOf(bank: TestBank, person: string, list: string): Promise<readonly string[] | undefined> {
  const { attributes } = await bank
    .as(person)
    .show<{ data: { columns?: Record<string, string[]> } }>('/api/me/preferences')
  return attributes.data.columns?.[list]
}

/** Asserts that every column has a name in words, and not its id. */
async function expectNamesOfColumns(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Columns…' }).click()
  for (const each of await page.getByRole('dialog').locator('[data-column]').all())
    await expect(each).toHaveText(/^[A-Z]/)
  await page.keyboard.press('Escape')
}

function withoutColumns(address: string): string {
  const url = new URL(address)
  url.searchParams.delete('columns')
  return url.href
}

test('every list that lets people choose its columns is in the table of this test', () => {
  const pages = join(import.meta.dirname, '../pages')
  const sources = globSync('**/*.tsx', { cwd: pages }).map(file => ({
    file: file.replace(/\.tsx$/, ''),
    text: readFileSync(join(pages, file), 'utf8'),
  }))
  const drawn = sources.filter(({ text }) => /<(Fact|List)?Table( |$)/m.test(text)).map(({ file }) => file)
  expect(drawn.length).toBeGreaterThan(lists.length)
  // Others declare `FewColumns`, of which there are four at most.
  const few = sources.filter(({ text }) => text.includes('FewColumns<')).map(({ file }) => file)
  expect(drawn.filter(file => !few.includes(file)).toSorted()).toEqual(lists.map(({ file }) => file).toSorted())
})
