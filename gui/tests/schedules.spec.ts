import type { ScheduledChange } from '#client/generated/api.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

const front = '/projects/bank/environments/test/assets/front'
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
  await dialog.getByLabel('Target').fill(front)
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
  const { id } = await bank.as('ann').create(`/api${front}/scheduled_activities`, nightly)
  await open(`/schedules?schedule=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Schedule of check' })
  await expect(dialog.getByLabel('Cron expression')).toHaveValue('30 2 * * *')
  await bank.as('ann').update(`/api/scheduled_activities/${id}`, { cron_schedule: '0 5 * * *' })
  await dialog.getByLabel('Cron expression').fill('0 6 * * *')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  const { attributes } = await bank.as('ann').show<ScheduledChange>(`/api/scheduled_activities/${id}`)
  expect(attributes.cron_schedule).toBe('0 5 * * *')
  await bank.as('ann').remove(`/api/scheduled_activities/${id}`)
})

test('a reader sees switches that say why they are off, a stranger nothing', async ({ page, open, bank }) => {
  const { id } = await bank.as('ann').create(`/api${front}/scheduled_activities`, nightly)
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
  const { id } = await bank.as('ann').create(`/api${front}/scheduled_activities`, nightly)
  await open('/schedules')
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: 'check' }).first()).toBeVisible())
  await page.goto('/schedules?view=calendar')
  await page.getByRole('button', { name: 'Next month' }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: /check/ }).first()).toBeVisible())
  await page.goto(`/schedules?schedule=${id}`)
  await expectGoodEverywhere(page, () =>
    expect(page.getByRole('list', { name: 'Next runs of the schedule' })).toBeVisible(),
  )
  await page.goto(`${front}?tab=schedules`)
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Schedules' })).toBeVisible())
  await bank.as('ann').remove(`/api/scheduled_activities/${id}`)
})

test('the run dialog makes a schedule of its action', async ({ page, open }) => {
  await open(`${front}?run=check`)
  await page.getByRole('link', { name: 'As a schedule…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  await expect(dialog.getByLabel('Target')).toHaveValue(front)
  await expect(dialog.getByRole('combobox', { name: 'Action' })).toHaveValue('check')
})
