import type { Page } from '@playwright/test'
import type { Change, ScheduledChange, WorkflowRun } from '#client/generated/api.ts'
import { until } from '#client/sluice.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const frontOf = ({ path }: TestBank) => `${path}/environments/test/assets/front`

const sheet = (page: Page) => page.getByRole('dialog')

const field = (page: Page, name: string) => sheet(page).getByRole('textbox', { name })

/** A value of each type, and texts that look like values of other types. */
const metadata = {
  ticket: 'CHG-7',
  count: 2,
  share: 0.5,
  urgent: true,
  why: null,
  hosts: ['a', 1],
  build: '12',
  release: '1.10',
  note: 'two\nlines',
  'a=b': 'c',
}

/** Changes one line of the metadata that the field shows. */
async function changeTicket(page: Page): Promise<void> {
  const text = await field(page, 'Metadata').inputValue()
  expect(text.split('\n')).toEqual(expect.arrayContaining(['ticket=CHG-7', 'count=2', 'build="12"', 'release=1.10']))
  await field(page, 'Metadata').fill(text.replace('CHG-7', 'CHG-8'))
}

test('metadata keep their types when a change is retried with others', async ({ page, open, bank }) => {
  const { id } = await bank.as('ann').create<Change>(`/api${frontOf(bank)}/changes`, { action: 'broken', metadata })
  await bank.reaches(id, 'error')
  await open(`/activities/${id}`)
  await page.goto(`/activities/${id}?retry=true`)
  await changeTicket(page)
  const command = sheet(page).getByText(`sluice changes retry ${id}`)
  for (const each of ['ticket=CHG-8', 'count=2', `'build="12"'`, 'release=1.10'])
    await expect(command).toContainText(`--metadata ${each}`)
  await sheet(page).getByRole('button', { name: 'Retry now' }).click()
  await expect(page).not.toHaveURL(new RegExp(id))
  await expect(sheet(page)).toBeHidden()
  const again = await bank.reaches(page.url().slice(-36), 'error')
  expect(again.attributes.metadata).toEqual({ ...metadata, ticket: 'CHG-8' })
})

test('metadata keep their types when a workflow run is retried with others', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  const source_yaml = 'steps:\n  - { target: environments/test/assets/front, action: fail, name: roll out }\n'
  const workflows = `/api${bank.path}/workflows`
  await ann.create(workflows, { code: 'typed', name: 'typed', source_yaml, draft: false })
  const { id } = await ann.create<WorkflowRun>(`${workflows}/typed/runs`, { metadata })
  const run = (of: string) => ann.show<WorkflowRun>(`/api/workflow_runs/${of}`)
  const ended = (of: string) =>
    until(
      `run ${of} has failed`,
      () => run(of),
      ({ attributes }) => attributes.status_code === 'error',
    )
  await ended(id)
  await open(`/activities/${id}`)
  await page.goto(`/activities/${id}?retry=true`)
  await changeTicket(page)
  await sheet(page).getByRole('button', { name: 'Retry now' }).click()
  await expect(page).not.toHaveURL(new RegExp(id))
  const again = await ended(page.url().slice(-36))
  expect(again.attributes.metadata).toEqual({ ...metadata, ticket: 'CHG-8' })
})

test('a schedule keeps the types of its metadata, its seconds and what its form does not show', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const list = `/api${frontOf(bank)}/scheduled_activities`
  const once = await ann.create<ScheduledChange>(list, {
    action: 'check',
    run_at: '2037-10-25T00:59:17.250Z',
    end_at: '2037-10-25T01:30:45Z',
    // Clocks are put back then: the hour is there twice.
    time_zone: 'Europe/Berlin',
    metadata,
  })
  await open('/schedules')
  await page.goto(`/schedules?schedule=${once.id}`)
  await changeTicket(page)
  await sheet(page).getByRole('button', { name: 'Save' }).click()
  await expect(sheet(page)).toBeHidden()
  const edited = await ann.show<ScheduledChange>(`/api/scheduled_activities/${once.id}`)
  expect(edited.attributes.metadata).toEqual({ ...metadata, ticket: 'CHG-8' })
  expect(edited.attributes.run_at).toBe(once.attributes.run_at)
  expect(edited.attributes.end_at).toBe(once.attributes.end_at)

  const single = await ann.create<ScheduledChange>(list, {
    action: 'check',
    cron_schedule: '30 2 * * *',
    repeat: false,
  })
  await page.goto(`/schedules?schedule=${single.id}`)
  await sheet(page).getByLabel('Run even while an earlier one is in progress').check()
  await sheet(page).getByRole('button', { name: 'Save' }).click()
  await expect(sheet(page)).toBeHidden()
  const after = await ann.show<ScheduledChange>(`/api/scheduled_activities/${single.id}`)
  expect(after.attributes.repeat).toBe(false)
  expect(after.attributes.next_run_at).toBe(single.attributes.next_run_at)
  for (const { id } of [once, single]) await ann.remove(`/api/scheduled_activities/${id}`)
})

test('what was typed last is part of what runs, however fast the click comes', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await page.goto(`${frontOf(bank)}?run=check`)
  const run = sheet(page).getByRole('button', { name: 'Run now' })
  await expect(run).not.toHaveAttribute('aria-disabled')
  await sheet(page).getByText('Options', { exact: true }).click()
  await field(page, 'Metadata').fill('ticket=CHG-3')
  await run.click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  const { attributes } = await bank.reaches(page.url().slice(-36), 'success')
  expect(attributes.metadata).toEqual({ ticket: 'CHG-3' })
})

test('a value that begins like JSON and is none is refused at its field, and a name that is given twice', async ({
  page,
  open,
  bank,
}) => {
  await open(frontOf(bank))
  await page.goto(`${frontOf(bank)}?run=check`)
  await sheet(page).getByText('Options', { exact: true }).click()
  await field(page, 'Metadata').fill('note=[urgent] soon')
  await expect(sheet(page).getByRole('alert')).toContainText('"note=[urgent] soon": This is not valid JSON.')
  await expect(sheet(page).getByRole('button', { name: 'Run now' })).toHaveAttribute('aria-disabled', 'true')
  await expectGoodEverywhere(page, () => expect(sheet(page).getByRole('alert')).toBeVisible())
  await field(page, 'Metadata').fill('a=1\na=2')
  await expect(sheet(page).getByRole('alert')).toContainText('"a" is given twice')
  await field(page, 'Metadata').fill('note="[urgent] soon"\ncount=3\nversion=1.10')
  await expect(sheet(page).getByText('sluice changes create')).toContainText('"note":"[urgent] soon"')
  await sheet(page).getByRole('link', { name: 'As a schedule…' }).click()
  await expect(field(page, 'Metadata')).toHaveValue('note="[urgent] soon"\ncount=3\nversion=1.10')
})

test('a workflow is run with values as they were typed, and its command has all of them', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const source_yaml = `steps:
  - { target: environments/test/assets/front, action: check, name: "release {{ release.tag }} {{ release.count }}" }
`
  const { relationships } = await ann.show(`/api${bank.path}`)
  const properties = relationships?.['properties']?.links?.related ?? ''
  await ann.update(properties, { data: { release: { tag: '1.9', count: 1 } } })
  await ann.create(`/api${bank.path}/workflows`, { code: 'valued', name: 'valued', source_yaml, draft: false })
  await open(`/workflows/${bank.code}/valued`)
  await page.getByRole('button', { name: 'Run…' }).click()
  await field(page, 'release.tag').fill('1.10')
  await field(page, 'release.count').fill('[1')
  await expect(sheet(page).getByRole('alert')).toBeVisible()
  await expect(sheet(page).getByRole('button', { name: 'Run now' })).toHaveAttribute('aria-disabled', 'true')
  await field(page, 'release.count').fill('3')
  await field(page, 'Metadata').fill('ticket=CHG-1\ncount=2')
  await expect(sheet(page).getByText('sluice workflow-runs create')).toContainText(
    'valued --property release.tag=1.10 --property release.count=3 --metadata ticket=CHG-1 --metadata count=2',
  )
  await sheet(page).getByRole('button', { name: 'Run now' }).click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  const { attributes } = await ann.show<WorkflowRun>(`/api/workflow_runs/${page.url().slice(-36)}`)
  expect(attributes.property_overrides).toEqual({ release: { tag: '1.10', count: 3 } })
  expect(attributes.metadata).toEqual({ ticket: 'CHG-1', count: 2 })
})
