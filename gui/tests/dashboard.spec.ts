import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

const panel = (page: import('@playwright/test').Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })

test('the dashboard shows what waits, runs and failed, and follows it without a reload', async ({
  page,
  open,
  bank,
}) => {
  await open('/', 'bob')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(bank.username('bob'))
  const change = await bank.change('rollout')
  await bank.reaches(change.id, 'waiting_for_approval')
  await expect(panel(page, 'Waiting for you').getByRole('link', { name: 'Go live' })).toBeVisible()
  await expect(panel(page, 'In progress').getByRole('link', { name: 'rollout' })).toBeVisible()
  await bank.reaches((await bank.change('broken', { asset: 'back' })).id, 'error')
  await expect(panel(page, 'Failed in the last 24 hours').getByText('exit code 3').first()).toBeVisible()
  await panel(page, 'Waiting for you').getByRole('link', { name: 'Go live' }).click()
  await expect(page).toHaveURL(new RegExp(`/activities/${change.id}`))
  await bank.as('ann').remove(`/api/changes/${change.id}`)
})

test('a person without rights sees the first steps', async ({ page, open }) => {
  await open('/', 'carol')
  await expect(page.getByText('First steps')).toBeVisible()
})

test('the dashboard is accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('broken')).id, 'error')
  await open('/')
  const failed = panel(page, 'Failed in the last 24 hours').getByRole('link', { name: 'broken' }).first()
  await expectGoodEverywhere(page, () => expect(failed).toBeVisible())
})
