import { settingsPath } from './admin-parts.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('the actions of an asset are refreshed, and a task that waits says why and is cancelled', async ({
  page,
  open,
  bank,
}) => {
  const settings = await settingsPath(bank)
  await open(`${bank.path}/environments/test/assets/back?tab=actions`)
  await page.getByRole('button', { name: 'Refresh the actions' }).click()
  const tasks = page.getByRole('listitem').filter({ hasText: 'Read the actions #' })
  await expect(tasks.first()).toContainText('success', { timeout: 20_000 })
  const before = await tasks.count()
  try {
    await bank.as('admin').update(settings, { data: { maintenance_mode: 'enabled' } })
    await page.getByRole('button', { name: 'Refresh the actions' }).click()
    await expect(tasks).toHaveCount(before + 1)
    await expect(tasks.first()).toContainText('Waits: maintenance mode is on (by admin)')
    await expect(page.getByRole('button', { name: 'Refresh the actions' })).toHaveAccessibleDescription(
      'The actions are being read already.',
    )
    await expectGoodEverywhere(page, () => expect(tasks.first()).toContainText('Waits:'))
    await open(`${bank.path}/environments/test/assets/back?tab=actions`, 'bob')
    for (const name of ['Refresh the actions', /^Cancel Read the actions/])
      await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(
        'You need the right "execute" on this node.',
      )
    await open(`${bank.path}/environments/test/assets/back?tab=actions`)
    await page.getByRole('button', { name: /^Cancel Read the actions/ }).click()
    await expect(tasks.first()).toContainText('cancelled')
    await expect(page.getByRole('button', { name: /^Cancel Read the actions/ })).toBeHidden()
  } finally {
    await bank.as('admin').update(settings, { data: { maintenance_mode: 'disabled' } })
  }
})

test('the details of a change show its settings, those that were overridden too', async ({ page, open, bank }) => {
  const attributes = { settings_overrides: { step_timeout_seconds: 77 } }
  const { id } = await bank.change('check', { attributes })
  await bank.reaches(id, 'success')
  await open(`/activities/${id}?tab=details`)
  await page.getByText('Settings of this change').click()
  const settings = page.getByRole('region', { name: 'Settings in force, with the overrides of the change' })
  await expect(settings).toContainText('step_timeout_seconds: 77')
  await expectGoodEverywhere(page, () => expect(settings).toBeVisible())
})
