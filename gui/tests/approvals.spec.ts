import { expect, expectGoodEverywhere, expectNoSidewaysScroll, test } from './fixtures.ts'

test('an approver approves from a window of 360 px and sees it among the own decisions', async ({
  page,
  open,
  bank,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const change = await bank.change('rollout', { attributes: { metadata: { ticket: 'CHG-2041' } } })
  await bank.reaches(change.id, 'waiting_for_approval')
  await open('/approvals', 'bob')
  const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/activities/${change.id}"]`) })
  await expect(card).toContainText('rollout')
  await expect(card).toContainText('ticket: CHG-2041')
  await expect(card).toContainText('0 of 1 approvals')
  await expectNoSidewaysScroll(page)
  await card.getByRole('button', { name: 'Approve…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Message').fill('looks right')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(card).toBeHidden()
  await bank.reaches(change.id, 'success')
  await page.getByRole('link', { name: 'Decided by me' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'approved' }).first()).toContainText('Go live')
  await page.setViewportSize({ width: 1440, height: 740 })
  await expect(page.getByRole('row').filter({ hasText: 'approved' }).first()).toContainText('looks right')
})

test('a wait appears live, and who may not decide it sees no button', async ({ page, open, bank }) => {
  await open('/approvals', 'bob')
  await expect(page.getByRole('heading', { name: 'Approvals', level: 1 })).toBeVisible()
  const change = await bank.change('pause-for', { asset: 'back' })
  await bank.reaches(change.id, 'waiting')
  await page.getByRole('link', { name: 'All waiting' }).click()
  await expect(page.locator('main nav [aria-current]')).toHaveText(['All waiting'])
  const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/activities/${change.id}"]`) })
  await expect(card).toContainText('Look at the dashboard')
  await expect(card.getByRole('button')).toHaveCount(0)
  await bank.as('ann').remove(`/api/changes/${change.id}`)
  await expect(card).toBeHidden()
})

test('the inbox and its dialog are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const change = await bank.change('choose')
  await bank.reaches(change.id, 'waiting')
  await open('/approvals')
  await expectGoodEverywhere(page, () => expect(page.getByText('Which release?').first()).toBeVisible())
  await page.getByRole('button', { name: 'Continue…' }).first().click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog')).toBeVisible())
  await bank.as('ann').remove(`/api/changes/${change.id}`)
})
