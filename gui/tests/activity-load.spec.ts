import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { pretendLarge } from './large-activity.ts'

/** Size of the page: elements in the part of the page that shows the activity. */
const elementsIn = (page: Page) => page.locator('main *').count()

for (const total of [200_000, 1_000_000])
  test(`a log of ${total.toLocaleString('en')} lines is drawn and read in parts`, async ({ page, open, bank }) => {
    const { id } = await bank.change('check')
    await bank.reaches(id, 'success')
    const log = await pretendLarge(page, id, total)
    await open(`/activities/${id}?line=150000`)
    await expect(page.getByText('row 150000', { exact: true })).toBeInViewport()
    // The length of the log and the lines around the link.
    expect(log.requests).toBeLessThanOrEqual(3)
    const scroller = page.getByRole('log')
    let most = 0
    for (let i = 0; i <= 50; i++) {
      await scroller.evaluate((element, part) => {
        element.scrollTop = part * element.scrollHeight
      }, i / 50)
      most = Math.max(most, await page.locator('[data-line]').count())
    }
    await expect(page.getByText(`row ${total}`, { exact: true })).toBeInViewport()
    expect(most).toBeLessThan(80)
    expect(await elementsIn(page)).toBeLessThan(900)
    await scroller.focus()
    await page.keyboard.press('Home')
    await expect(page.getByText('row 1', { exact: true })).toBeInViewport()
  })

test('10,000 steps are a tree, a timeline and a flow of bounded size, open at what failed', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('check')
  await bank.reaches(id, 'success')
  const asked = await pretendLarge(page, id, 500)
  await page.route(`**/api/changes/${id}/steps?*`, route => route.abort())
  await open(`/activities/${id}`)
  const tree = page.getByRole('tree', { name: 'Steps of the activity' })
  await expect(page.getByText('10,000 of 10,000 steps')).toBeVisible()
  await expect(tree.getByRole('treeitem', { name: 'error step 99-98' })).toBeInViewport()
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(60)
  expect(asked.trees).toBe(1)
  await tree.focus()
  await page.keyboard.press('Home')
  const first = tree.getByRole('treeitem', { name: 'rollout' })
  await expect(first).toBeInViewport()
  await expect(first).toHaveAttribute('aria-setsize', '1')
  await page.keyboard.press('End')
  const last = tree.getByRole('treeitem', { name: 'error step 99-98' })
  await expect(last).toBeInViewport()
  await expect(last).toHaveAttribute('aria-posinset', '98')
  await page.getByRole('link', { name: 'Timeline' }).click()
  await expect(page.getByRole('button', { name: 'group 0' })).toBeVisible()
  expect(await elementsIn(page)).toBeLessThan(1_000)
  await page.getByRole('link', { name: 'Flow', exact: true }).click()
  await expect(page.getByRole('link', { name: 'error group 99' })).toBeVisible()
  expect(await elementsIn(page)).toBeLessThan(4_000)
})
