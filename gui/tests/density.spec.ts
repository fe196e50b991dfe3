import type { Locator } from '@playwright/test'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

const heightOf = (of: Locator) => of.first().evaluate(element => element.getBoundingClientRect().height)

test.afterEach(async ({ bank }) => {
  await bank.as('bob').update('/api/me/preferences', { data: { density: null } })
})

test('the compact density makes rows, trees and logs lower, at once and in every browser', async ({
  page,
  open,
  bank,
  browser,
}) => {
  await bank.change('check', { asset: 'back' })
  const { id } = await bank.change('deploy')
  await bank.reaches(id, 'success')
  await open('/activities', 'bob')
  const rows = page.getByRole('table', { name: 'Activities' }).locator('[data-row]')
  await expect.poll(() => heightOf(rows)).toBe(40)
  await page.goto('/me')
  await page.getByLabel('Rows of lists, trees and logs').selectOption('compact')
  await expect
    .poll(async () => (await bank.as('bob').show<{ data: object }>('/api/me/preferences')).attributes.data)
    .toMatchObject({ density: 'compact' })

  const other = await (await browser.newContext({ baseURL: bank.address })).newPage()
  await open('/activities', 'bob', other)
  const otherRows = other.getByRole('table', { name: 'Activities' }).locator('[data-row]')
  await expect.poll(() => heightOf(otherRows)).toBe(32)
  const [first, second] = [otherRows.nth(0), otherRows.nth(1)]
  const place = async (row: Locator) => (await row.boundingBox())!.y
  expect((await place(second)) - (await place(first))).toBe(32)
  await other.goto(`/activities/${id}`)
  await expect.poll(() => heightOf(other.getByRole('tree').getByRole('treeitem'))).toBe(26)
  await expect(other.getByText('all disks have room')).toBeVisible()
  await expect.poll(() => heightOf(other.locator('[data-line]'))).toBe(18)
  await other.goto('/projects')
  await expect.poll(() => heightOf(other.getByRole('tree', { name: 'Nodes' }).getByRole('treeitem'))).toBe(26)
  await other.context().close()
})

test('the compact density is accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const { id } = await bank.change('deploy')
  await bank.reaches(id, 'success')
  await bank.as('bob').update('/api/me/preferences', { data: { density: 'compact' } })
  await open('/activities', 'bob')
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Activities' })).toBeVisible())
  await page.goto(`/activities/${id}`)
  await expectGoodEverywhere(page, () => expect(page.getByRole('main')).toContainText('deploy'))
})
