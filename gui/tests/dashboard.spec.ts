import type { Change } from '#client/generated/api.ts'
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
  const { plan_sha: plan } = (await bank.as('ann').show<Change>(`/api/changes/${change.id}`)).attributes
  await expect(panel(page, 'Waiting for you').getByRole('link', { name: 'Go live' })).toBeVisible()
  await expect(panel(page, 'Waiting for you')).toContainText(`plan ${plan!.slice(0, 8)} · 0 of 1 approvals`)
  await expect(panel(page, 'In progress').getByRole('link', { name: 'rollout' })).toBeVisible()
  await expect(panel(page, 'In progress')).toContainText('5 of 9 steps')
  await expect(panel(page, 'In progress')).toContainText(/Waits: .*needs approval/)
  await bank.reaches((await bank.change('broken', { asset: 'back' })).id, 'error')
  await expect(panel(page, 'Failed in the last 24 hours').getByText('exit code 3').first()).toBeVisible()
  await panel(page, 'Waiting for you').getByRole('link', { name: 'Go live' }).click()
  await expect(page).toHaveURL(new RegExp(`/activities/${change.id}`))
  await bank.as('ann').remove(`/api/changes/${change.id}`)
})

test('something is run from the dashboard: a node is chosen, and its run dialog follows', async ({
  page,
  open,
  bank,
}) => {
  await open('/')
  await page.getByRole('button', { name: 'Run something…' }).click()
  const chooser = page.getByRole('dialog', { name: 'Run something on…' })
  await chooser.getByRole('combobox').fill(`${bank.path}/environments/test/assets/front`)
  await expect(chooser.getByRole('option', { name: /front/i })).toHaveCount(1)
  await expectGoodEverywhere(page, () => expect(chooser.getByRole('option', { name: /front/i })).toBeVisible())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/environments\/test\/assets\/front\?run=/)
  await expect(page.getByRole('dialog', { name: /Run an action/ })).toBeVisible()

  await open('/', 'bob')
  await page.getByRole('button', { name: 'Run something…' }).click()
  await chooser.getByRole('combobox').fill(`${bank.path}/environments/test/assets/front`)
  await chooser.getByRole('option', { name: /front/i }).click()
  await expect(chooser.getByRole('status')).toHaveText('You need the right "execute" on the actions of this node.')
})

test('the next schedules are links, and lead to all', async ({ page, open, bank }) => {
  const schedule = { action: 'check', cron_schedule: '30 2 * * *', time_zone: 'Asia/Tokyo' }
  const node = `/api${bank.path}/environments/test/assets/front`
  const { id } = await bank.as('ann').create(`${node}/scheduled_activities`, schedule)
  await open('/')
  await panel(page, 'Due next').getByRole('link', { name: 'check' }).click()
  await expect(page.getByRole('dialog', { name: 'Schedule of check' })).toBeVisible()
  await open('/')
  await panel(page, 'Due next').getByRole('link', { name: 'Show all' }).click()
  await expect(page).toHaveURL(/\/schedules$/)
  await bank.as('ann').remove(`/api/scheduled_activities/${id}`)
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
