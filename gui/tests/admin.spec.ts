import type { Page } from '@playwright/test'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

const parts = (page: Page) => page.getByRole('navigation', { name: 'Parts of the administration' })

/** Stores a maintenance mode behind the page. */
async function setMode(bank: TestBank, mode: string): Promise<void> {
  const admin = bank.as('admin')
  const { relationships } = await admin.show('/api/system_configuration')
  await admin.update(relationships!['settings']!.links!.related!, { data: { maintenance_mode: mode } })
}

test('maintenance is switched on with its blockers, shown to others as well, and switched off', async ({
  page,
  open,
  bank,
  browser,
}) => {
  const change = await bank.change('rollout')
  try {
    await bank.reaches(change.id, 'waiting_for_approval')
    const elsewhere = await browser.newPage({ baseURL: bank.address })
    await open('/activities', 'admin', elsewhere)
    await open('/admin', 'admin')
    await expect(page).toHaveURL(/\/admin\/maintenance$/)
    await page.getByRole('button', { name: 'Turn on…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn maintenance mode on?' })
    await expect(dialog).toContainText('No change, workflow run or background task starts')
    await expect(dialog).toContainText('In progress now: 1 change, 0 workflow runs, 0 background tasks.')
    await dialog.getByRole('button', { name: 'Turn maintenance on' }).click()
    const draining = 'Draining: 1 change, 0 workflow runs, 0 background tasks'
    await expect(page.getByRole('main').getByText(draining)).toBeVisible()
    for (const each of [page, elsewhere])
      await expect(each.getByRole('status').filter({ hasText: '·' })).toContainText(draining)
    await elsewhere.close()

    const blocker = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'rollout' }) })
    await expect(blocker).toContainText('waits for approval by bob at the step rollout/Go live')
    await expect(blocker).toContainText('by ann')
    await expectGoodEverywhere(page, () => expect(blocker).toBeVisible())
    await blocker.getByRole('link', { name: 'rollout' }).click()
    await expect(page).toHaveURL(new RegExp(`/activities/${change.id}$`))
    await page.goBack()
    await bank.as('ann').remove(`/api/changes/${change.id}`)
    await expect(page.getByRole('main').getByText('Drained - nothing is in progress.')).toBeVisible()

    await page.getByRole('button', { name: 'Turn on for others…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on for others' }).click()
    await expect(page.getByRole('main').getByText("Superusers' work may still start.")).toBeVisible()
    await page.getByRole('button', { name: 'Turn off…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn maintenance off' }).click()
    await expect(page.getByText('Nothing is in progress', { exact: true })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '·' })).toBeHidden()
  } finally {
    await setMode(bank, 'disabled')
  }
})

test('a person sees only the parts that may be read, and which right another one needs', async ({ page, open }) => {
  await open('/admin', 'carol')
  await expect(page.getByText('You need the right "read" on /admin.')).toBeVisible()
  await expect(parts(page)).toBeHidden()
  await open('/admin', 'otto')
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible()
  await expect(parts(page).getByRole('link')).toHaveText(['Jobs'])
  await page.goto('/admin/database')
  await expect(page.getByText('You need the right "read" on /admin/database.')).toBeVisible()
  await expectGoodEverywhere(page, () => expect(parts(page).getByRole('link', { name: 'Jobs' })).toBeVisible())
  await page.goto('/admin/nothing')
  await expect(page.getByText('Not found')).toBeVisible()
})

test('jobs are filtered by their status, and one opens with its details', async ({ page, open }) => {
  await open('/admin/jobs', 'admin')
  await page.getByRole('button', { name: /^success/ }).click()
  await expect(page).toHaveURL(/status=success/)
  await page.reload()
  const row = page.getByRole('table', { name: 'Background jobs' }).getByRole('link').first()
  await row.click()
  await expect(page.getByRole('dialog')).toContainText('1 of')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Attempts' }).focus()
  await expect(page.getByRole('button', { name: 'Attempts' })).toHaveAccessibleDescription(/After the last one/)
})

for (const [part, text] of [
  ['jobs', 'success'],
  ['slots', 'Runners'],
  ['workers', 'works'],
  ['database', 'PostgreSQL'],
  ['load', /\d m?s$|Nobody used the database/],
  ['sites', 'Runners'],
] as const)
  test(`the part ${part} is accessible in both themes, narrow and wide`, async ({ page, open, bank }) => {
    await bank.reaches((await bank.change('check')).id, 'success')
    await open(`/admin/${part}`, 'admin')
    await expectGoodEverywhere(page, () => expect(page.locator('main').getByText(text).first()).toBeVisible())
  })
