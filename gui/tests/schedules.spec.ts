import type { ScheduledChange } from '#client/generated/api.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const frontOf = ({ path }: TestBank) => `${path}/environments/test/assets/front`
const nightly = { action: 'check', cron_schedule: '30 2 * * *', time_zone: 'Asia/Tokyo' }

test('a schedule is created with a preview, appears in list and calendar, is switched off and deleted', async ({
  page,
  open,
  bank,
}) => {
  await open('/schedules')
  await page.getByRole('button', { name: 'New schedule…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  await expect(dialog.getByRole('button', { name: 'Create' })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Target').fill(frontOf(bank))
  await dialog.getByRole('combobox', { name: 'Action' }).selectOption('check')
  await dialog.getByLabel('Time zone').selectOption('America/New_York')
  await dialog.getByLabel('Cron expression').fill('30 2 * * 8')
  await expect(dialog.getByRole('alert').first()).toContainText('day of the week')
  await dialog.getByLabel('Cron expression').fill('30 2 * * *')
  await expect(dialog.getByText('Every day at 02:30')).toBeVisible()
  const times = dialog.getByRole('list', { name: 'Next runs of the schedule' }).getByRole('listitem')
  await expect(times).toHaveCount(10)
  await expect(times.first()).toContainText('02:30')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toBeHidden()

  const row = page.getByRole('row').filter({ hasText: 'America/New_York' })
  await expect(row).toContainText('every day at 02:30')
  await expect(row).toContainText('02:30')
  await page.getByRole('link', { name: 'Calendar' }).click()
  await page.getByRole('button', { name: 'Next month' }).click()
  const calendar = page.getByRole('list', { name: /^Runs in/ })
  await expect(calendar.getByRole('link', { name: /check/ }).first()).toBeVisible()
  await calendar.getByRole('link', { name: /check/ }).first().click()
  await expect(page.getByRole('dialog', { name: 'Schedule of check' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'List', exact: true }).click()
  await row.getByRole('switch', { name: 'Enable check' }).click()
  await expect(page.getByText('Disabled check')).toBeVisible()
  await expect(row.getByRole('switch')).toHaveAttribute('aria-checked', 'false')
  await row.getByRole('link', { name: 'check' }).click()
  const edit = page.getByRole('dialog', { name: 'Schedule of check' })
  await edit.getByLabel('Cron expression').fill('0 4 * * MON-FRI')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Monday to Friday at 04:00')
  await row.getByRole('link', { name: 'check' }).click()
  await edit.getByRole('button', { name: 'Delete…' }).click()
  await page
    .getByRole('dialog', { name: /^Delete the schedule/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(row).toBeHidden()
  expect(
    await bank.as('ann').list('/api/scheduled_activities', { 'filter[time_zone_eq]': 'America/New_York' }),
  ).toEqual([])
})

test('a schedule that somebody else has changed meanwhile is not overwritten', async ({ page, open, bank }) => {
  const { id } = await bank.as('ann').create(`/api${frontOf(bank)}/scheduled_activities`, nightly)
  // The dialog hides the navigation, which `open` waits for.
  await open('/schedules')
  await page.goto(`/schedules?schedule=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Schedule of check' })
  await expect(dialog.getByLabel('Cron expression')).toHaveValue('30 2 * * *')
  await bank.as('ann').update(`/api/scheduled_activities/${id}`, { cron_schedule: '0 5 * * *', maximum_run_count: 7 })
  await dialog.getByLabel('Cron expression').fill('0 6 * * *')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Somebody else has changed this meanwhile')
  await expect(dialog.getByRole('alert')).toContainText('Cron expression, as they saved it0 5 * * *')
  await expect(dialog.getByLabel('Number of runs at most')).toHaveValue('7')
  const schedule = async () =>
    (await bank.as('ann').show<ScheduledChange>(`/api/scheduled_activities/${id}`)).attributes
  expect((await schedule()).cron_schedule).toBe('0 5 * * *')
  await expectGoodEverywhere(page, () => expect(dialog.getByRole('alert')).toBeVisible())
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(await schedule()).toMatchObject({ cron_schedule: '0 6 * * *', maximum_run_count: 7 })
  await bank.as('ann').remove(`/api/scheduled_activities/${id}`)
})

test('a reader sees switches that say why they are off, a stranger nothing', async ({ page, open, bank }) => {
  const { id } = await bank.as('ann').create(`/api${frontOf(bank)}/scheduled_activities`, nightly)
  await open('/schedules', 'bob')
  await expect(page.getByRole('switch', { name: 'Enable check' }).first()).toHaveAttribute('aria-disabled', 'true')
  await open('/schedules', 'carol')
  await expect(page.getByText('No schedules yet')).toBeVisible()
  await bank.as('ann').remove(`/api/scheduled_activities/${id}`)
})

test('list, calendar, dialog and the tab of a node are accessible in both themes, narrow and wide', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.as('ann').create(`/api${frontOf(bank)}/scheduled_activities`, nightly)
  await open('/schedules')
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: 'check' }).first()).toBeVisible())
  await page.goto('/schedules?view=calendar')
  await page.getByRole('button', { name: 'Next month' }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: /check/ }).first()).toBeVisible())
  await page.goto(`/schedules?schedule=${id}`)
  await expectGoodEverywhere(page, () =>
    expect(page.getByRole('list', { name: 'Next runs of the schedule' })).toBeVisible(),
  )
  await page.goto(`${frontOf(bank)}?tab=schedules`)
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Schedules' })).toBeVisible())
  await bank.as('ann').remove(`/api/scheduled_activities/${id}`)
})

test('the run dialog makes a schedule of its action', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await page.goto(`${frontOf(bank)}?run=check`)
  await page.getByRole('link', { name: 'As a schedule…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  await expect(dialog.getByLabel('Target')).toHaveValue(frontOf(bank))
  await expect(dialog.getByRole('combobox', { name: 'Action' })).toHaveValue('check')
})

test('inputs of a schedule are edited with the plan of what it would run, and values that are not edited stay', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const { id } = await ann.create(`/api${frontOf(bank)}/scheduled_activities`, {
    ...nightly,
    action: 'deploy',
    metadata: { count: 2 },
    skip_steps: ['deploy/verify'],
  })
  // The dialog hides the navigation, which `open` waits for.
  await open('/schedules')
  await page.goto(`/schedules?schedule=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Schedule of deploy' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  await expect(field('Steps to skip')).toHaveValue('deploy/verify')
  await expect(field('Metadata')).toHaveValue('count=2')
  const steps = dialog.getByRole('tree', { name: 'Steps of the plan' })
  await expect(steps.getByRole('treeitem', { name: /verify skipped/ })).toBeVisible()
  await steps.getByRole('treeitem', { name: /warm-up/ }).click()
  await expect(field('Steps to skip')).toHaveValue('deploy/verify\ndeploy/Prepare/warm-up')
  await dialog.getByLabel('Starting step').fill('deploy/no such step')
  await expect(dialog.getByRole('region', { name: 'What it would run now' }).getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Starting step').fill('deploy/Prepare')
  await expect(steps.getByRole('treeitem', { name: /check skipped/ })).toBeVisible()
  const editor = field('Property overrides')
  await editor.click()
  await page.keyboard.insertText('web: [')
  await expect(dialog.getByText(/^Line 1/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText('web: { port: 443 }')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const { attributes } = await ann.show<ScheduledChange>(`/api/scheduled_activities/${id}`)
  expect(attributes).toMatchObject({
    metadata: { count: 2 },
    skip_steps: ['deploy/verify', 'deploy/Prepare/warm-up'],
    starting_step: 'deploy/Prepare',
    property_overrides: { web: { port: 443 } },
  })
  await page.goto(`/schedules?schedule=${id}`)
  await expectGoodEverywhere(page, () => expect(steps).toBeVisible())
  await ann.remove(`/api/scheduled_activities/${id}`)
})

test('a schedule of a workflow shows the plan of its run, and skips steps by their names', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const source_yaml = `steps:
  - { target: environments/test/assets/front, action: check, name: look }
  - { target: environments/test/assets/back, action: verify, name: verify }
`
  await ann.create(`/api${bank.path}/workflows`, { code: 'by-night', name: 'By night', source_yaml, draft: false })
  const schedule = { workflow_code: 'by-night', cron_schedule: '30 2 * * *', time_zone: 'UTC' }
  const { id } = await ann.create(`/api${bank.path}/scheduled_activities`, schedule)
  // The dialog hides the navigation, which `open` waits for.
  await open('/schedules')
  await page.goto(`/schedules?schedule=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Schedule of by-night' })
  const steps = dialog.getByRole('tree', { name: 'Steps of the plan' })
  await expect(steps.getByRole('treeitem', { name: /look check on front/ })).toBeVisible()
  await steps.getByRole('treeitem', { name: /^verify/ }).click()
  await expect(steps.getByRole('treeitem', { name: /verify verify on back.*skipped/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const { attributes } = await ann.show<ScheduledChange>(`/api/scheduled_activities/${id}`)
  expect(attributes.skip_steps).toEqual(['verify'])
  await ann.remove(`/api/scheduled_activities/${id}`)
})

test('options of the run dialog become those of the schedule', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await page.goto(`${frontOf(bank)}?run=deploy`)
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Options').click()
  await sheet.getByLabel('Metadata').fill('ticket=CHG-3')
  await sheet.getByRole('treeitem', { name: /warm-up/ }).click()
  await expect(sheet.getByRole('treeitem', { name: /warm-up skipped/ })).toBeVisible()
  await page.getByRole('link', { name: 'As a schedule…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  await expect(dialog.getByRole('textbox', { name: 'Metadata' })).toHaveValue('ticket=CHG-3')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toBeHidden()
  const [made] = await bank
    .as('ann')
    .list<ScheduledChange>(`/api${frontOf(bank)}/scheduled_activities?filter[action_eq]=deploy`)
  expect(made!.attributes).toMatchObject({ metadata: { ticket: 'CHG-3' }, skip_steps: ['deploy/Prepare/warm-up'] })
  await bank.as('ann').remove(`/api/scheduled_activities/${made!.id}`)
})
