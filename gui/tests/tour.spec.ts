import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** With SLUICE_TEST_PICTURES=1 the tour makes the pictures of the documentation anew. */
const makesPictures = process.env['SLUICE_TEST_PICTURES'] === '1'
// The pictures show the project `bank`.
test.use({ ownProject: !makesPictures })

const folder = join(import.meta.dirname, '../../docs/pictures')

async function picture(page: Page, name: string): Promise<void> {
  if (!makesPictures) return
  mkdirSync(folder, { recursive: true })
  // Placeholders of what is still loading, toasts and the pointer are no part of the page.
  await expect(page.locator('[class*=skeleton]')).toHaveCount(0)
  await expect(page.locator('[role=status] button')).toHaveCount(0)
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

test('from the dashboard to a release that a second person approves, a failure that is found, a property that is changed, and the record of it', async ({
  page,
  open,
  bank,
  browser,
}) => {
  const address = bank.address
  await test.step('start a release with its plan', async () => {
    await open(`${bank.path}/environments/live/assets/front`)
    await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
    await picture(page, 'node')
    await page.keyboard.press('r')
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Action').selectOption('rollout')
    await expect(sheet.getByRole('tree', { name: 'Steps of the plan' })).toBeVisible()
    await expect(sheet.getByText(`1 approval from ${bank.username('bob')}`)).toBeVisible()
    await picture(page, 'run')
    await sheet.getByRole('button', { name: 'Run now' }).click()
    await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}/)
  })

  await test.step('follow its steps and its log', async () => {
    await expect(page.getByText('all disks have room')).toBeVisible()
    await expect(page.getByText(/“Go live” needs approval/)).toBeVisible()
    await picture(page, 'activity')
  })

  await test.step('approve as a second person from a window of 360 px', async () => {
    const phone = await browser.newContext({ viewport: { width: 360, height: 740 }, baseURL: address })
    const bob = await phone.newPage()
    await open('/approvals', 'bob', bob)
    await bob.getByRole('button', { name: 'Approve…' }).first().click()
    await bob.getByRole('dialog').getByLabel('Message').fill('CHG-2041')
    await picture(bob, 'approve')
    await bob.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(bob.getByRole('dialog')).toBeHidden()
    await phone.close()
    await expect(page.getByText('48 of 48 checks passed')).toBeVisible()
    await expect(page.getByRole('main').getByText('success').first()).toBeVisible()
  })

  await test.step('find why another one failed', async () => {
    await bank.reaches((await bank.change('broken', { asset: 'back' })).id, 'error')
    await page.goto('/')
    const broken = page.getByRole('link', { name: 'broken' }).first()
    await expect(broken).toBeVisible()
    await picture(page, 'dashboard')
    await broken.click()
    await expect(page.getByText('latency p99 is 812 ms, more than 500 ms')).toBeVisible()
  })

  await test.step('change a property with its impact', async () => {
    await page.goto(`${bank.path}/environments/live?tab=properties`)
    await page.getByRole('link', { name: 'Own', exact: true }).click()
    const editor = page.getByRole('textbox', { name: /^Properties/ })
    await editor.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.type('web: {port: 8443}')
    await page.getByRole('button', { name: 'Review and save…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(/web\.port/).first()).toBeVisible()
    await picture(page, 'impact')
    await dialog.getByRole('button', { name: /^Save as version/ }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('read the record of it', async () => {
    const { list } = bank.as('admin')
    const events = await list<{ type: string; username: string }>('/api/events', {
      'filter[username_eq]': bank.username('ann'),
      limit: 50,
    })
    expect(events.map(({ attributes }) => attributes.type)).toEqual(
      expect.arrayContaining(['api:changes:create', 'api:properties:update']),
    )
  })
})
