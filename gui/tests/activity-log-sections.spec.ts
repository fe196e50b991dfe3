import type { Locator, Page } from '@playwright/test'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

const headers = (page: Page): Locator => page.locator('[data-section] h2 button')
const header = (page: Page, name: string): Locator => headers(page).filter({ hasText: name })

/** Counts the requests for ranges of logs, by the path of the log. */
function reads(page: Page): string[] {
  const paths: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/log')) paths.push(pathname)
  })
  return paths
}

test('the log of a change in sections: folded but for what failed, and without reading a log', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('talkative')
  await bank.reaches(id, 'error')
  let trees = 0
  page.on('request', request => {
    if (request.url().endsWith(`/api/changes/${id}/tree`)) trees += 1
  })
  await open(`/activities/${id}`)
  await page.getByRole('button', { name: 'Sections by step' }).click()
  await expect(page).toHaveURL(/by=step/)
  const log = page.getByRole('log', { name: 'Log by step' })
  const paths = reads(page)
  await expect(headers(page)).toHaveCount(5)
  for (const [name, status, lines] of [
    ['many-lines', 'success', '3,000 lines'],
    ['check', 'success', '1 line'],
    ['fetch', 'success', '1 line'],
    ['print-some', 'success', '40 lines'],
    ['fail', 'error', '2 lines'],
  ] as const)
    await expect(page.getByRole('button', { name: new RegExp(`^${status} ${name} .* ${lines}$`) })).toBeVisible()
  await expect(header(page, 'fail')).toHaveAttribute('aria-expanded', 'true')
  for (const name of ['many-lines', 'check', 'fetch']) {
    await expect(header(page, name)).toHaveAttribute('aria-expanded', 'false')
  }
  await expect(log.getByText('latency p99 is 812 ms')).toBeVisible()
  // Only the log of the open section has been read.
  expect(new Set(paths.filter(path => path.startsWith('/api/steps/'))).size).toBeLessThanOrEqual(1)
  // The page had read the numbers of lines with the steps.
  expect(trees).toBe(1)

  // Lines are numbered by step, and the header stays at the top while they scroll.
  await header(page, 'many-lines').click()
  await expect(log.getByText('many 1', { exact: true })).toBeVisible()
  await log.evaluate(element => {
    element.scrollTop = 30_000
  })
  await expect(log.getByText('many 1500', { exact: true })).toBeVisible()
  await expect(page.locator('[data-line="1500"]').getByText('many 1500')).toBeVisible()
  await expect(header(page, 'many-lines')).toBeInViewport()
  expect(await page.locator('[data-line]').count()).toBeLessThan(80)
  await header(page, 'many-lines').click()
  await expect(header(page, 'many-lines')).toHaveAttribute('aria-expanded', 'false')
  await expect(header(page, 'check')).toBeInViewport()
})

test('keys move between headers, open and close sections', async ({ page, open, bank }) => {
  const { id } = await bank.change('talkative')
  await bank.reaches(id, 'error')
  await open(`/activities/${id}?by=step`)
  await header(page, 'many-lines').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('many 1', { exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  // It is 3,000 lines further down.
  await expect(header(page, 'check')).toBeFocused()
  await expect(header(page, 'check')).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByText('all disks have room')).toBeVisible()
  await expect(header(page, 'check')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('all disks have room')).toHaveCount(0)
  await page.keyboard.press('End')
  await expect(header(page, 'fail')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(header(page, 'print-some')).toBeFocused()
  await page.keyboard.press('Home')
  await expect(header(page, 'many-lines')).toBeFocused()
  await page.keyboard.press(' ')
  await expect(header(page, 'many-lines')).toHaveAttribute('aria-expanded', 'false')
})

test('a link to a line opens its section, and a step of the tree shows its own', async ({ page, open, bank }) => {
  const { id } = await bank.change('talkative')
  await bank.reaches(id, 'error')
  await open(`/activities/${id}?by=step`)
  await header(page, 'many-lines').click()
  await page.getByRole('link', { name: 'Line 7', exact: true }).first().click()
  await expect(page).toHaveURL(/step=/)
  await expect(page).toHaveURL(/line=7$/)
  await page.goto(page.url().replace(/line=7$/, 'line=2000'))
  await expect(page.locator('[data-line="2000"]').getByText('many 2000')).toBeInViewport()
  await expect(page.getByText('Line 2,000', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Line 2003', exact: true }).click({ modifiers: ['Shift'] })
  await expect(page).toHaveURL(/line=2000-2003/)
  await page.keyboard.type('g2')
  await page.getByRole('textbox', { name: 'Go to line of many-lines' }).fill('2999')
  await page.keyboard.press('Enter')
  await expect(page.getByText('many 2999', { exact: true })).toBeInViewport()
  await page.getByRole('treeitem', { name: /^success fetch / }).click()
  await expect(page.getByText('fetched release 12')).toBeInViewport()
  await page.getByRole('treeitem', { name: /^success many-lines / }).click()
  await expect(page.locator('[data-line="1"]').getByText('many 1', { exact: true })).toBeInViewport()
})

test('matches and errors are found in folded sections, in the order of the sections', async ({ page, open, bank }) => {
  const { id } = await bank.change('talkative')
  await bank.reaches(id, 'error')
  await open(`/activities/${id}?by=step`)
  await expect(header(page, 'fail')).toBeVisible()
  await page.getByLabel('Find in the log').fill('k')
  // tick 1 to 40 and "all disks have room".
  await expect(page.getByText('– of 41')).toBeVisible()
  await page.getByRole('button', { name: 'Next match (n)' }).click()
  const current = page.locator('[class*="current"] mark').first()
  await expect(current).toBeInViewport()
  await page.getByRole('log').focus()
  for (let i = 0; i < 5; i++) await page.keyboard.press('n')
  await expect(current).toBeInViewport()
  await page.keyboard.press('e')
  await expect(page.getByText('latency p99 is 812 ms')).toBeInViewport()
})

test('the section of a running step is open and followed, and stays open for somebody who reads it', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('drip-left', { asset: 'back' })
  await open(`/activities/${id}?by=step`)
  await expect(header(page, 'drip-left')).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText(/^left \d+$/).last()).toBeInViewport()
  await page.getByRole('button', { name: 'Follow' }).click()
  await expect(page.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'false')
  await bank.as('ann').remove(`/api/changes/${id}`)
  await expect(page).toHaveTitle('drip-left cancelled · back · Sluice')
  await expect(page.getByRole('button', { name: /^cancelled drip-left .* \d+ lines$/ })).toBeVisible()
  await expect(header(page, 'drip-left')).toHaveAttribute('aria-expanded', 'true')
  // Without somebody who reads it, it is folded like others that did not fail.
  await page.reload()
  await expect(header(page, 'drip-left')).toHaveAttribute('aria-expanded', 'false')
})

test('sections are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const { id } = await bank.change('talkative')
  await bank.reaches(id, 'error')
  await open(`/activities/${id}?by=step`)
  await expectGoodEverywhere(page, () => expect(page.getByText('latency p99 is 812 ms')).toBeVisible())
})
