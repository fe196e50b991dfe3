import type { Resource } from '#client/sluice.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test('earlier attempts of a step are dimmed on the timeline and told in its details, also after a retry', async ({
  page,
  open,
  bank,
}) => {
  const lingering = (linger: 'yes' | 'no') => ({
    attributes: { property_overrides: { linger }, settings_overrides: { on_runner_lost: 'restart' } },
  })
  const { id: before } = await bank.change('linger', lingering('no'))
  await bank.reaches(before, 'success')

  const { id } = await bank.change('linger', lingering('yes'))
  await open(`/activities/${id}?tab=timeline`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('button', { name: 'linger' }).click()
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page.getByText('attempt 1', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Details' }).click()
  const details = page.getByRole('region', { name: 'Details' })
  await expect(details.getByRole('heading', { name: 'Step “linger”' })).toBeVisible()
  await expect(details.getByText(/, usually [\d.]+ m?s$/)).toBeVisible()
  await expect(details.getByText(/^Attempt \d of/)).toHaveCount(0)

  await bank.loseRunners()
  await expect(page).toHaveTitle('linger error · front · Sluice')
  const attempts = details.getByRole('listitem').filter({ hasText: /^Attempt/ })
  await expect(attempts).toHaveCount(2)
  await expect(attempts.nth(0)).toContainText('Attempt 1 of 2')
  await expect(attempts.nth(0)).toContainText('The runner was lost')
  await expect(attempts.nth(1)).toContainText('Attempt 2 of 2')
  await expect(attempts.nth(1)).toContainText('exit code 1')
  await page.getByRole('link', { name: 'Timeline' }).click()
  await expect(timeline.locator('[data-attempt="1"]')).toHaveAttribute('title', /^Attempt 1: error, .*runner was lost/)
  await expect(timeline.getByRole('button', { name: 'error linger attempt 2' })).toBeVisible()
  await expectGoodEverywhere(page, () => expect(timeline.locator('[data-attempt="1"]')).toBeVisible())

  const attributes = { retry: true, property_overrides: { linger: 'no' } }
  const relationships = { change: { data: { type: 'change', id } } }
  const made = await bank.as('ann').send('POST', '/api/changes', { data: { attributes, relationships } })
  const retry = made!.data as Resource
  await bank.reaches(retry.id, 'success')
  const [step] = await bank.as('ann').list(`/api/changes/${retry.id}/steps`)
  await page.goto(`/activities/${retry.id}?tab=details&step=${step!.id}`)
  await expect(attempts).toHaveCount(3)
  await expect(attempts.nth(2)).toContainText('Attempt 3 of 3')
  await expect(attempts.nth(2)).toContainText('retried by ann')
  await expectGoodEverywhere(page, () => expect(attempts).toHaveCount(3))
  await attempts.nth(1).getByRole('link', { name: 'in an earlier change' }).click()
  await expect(page).toHaveTitle('linger error · front · Sluice')
})
