import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Size of the page: elements in the part of the page that shows the activity. */
const elementsIn = (page: Page) => page.locator('main *').count()

const stepId = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`

const columns = [
  'id',
  'parent_id',
  'name',
  'full_path',
  'step_type',
  'status_code',
  'tree_order',
  'child_execution_strategy',
  'ignore_failure',
  'requires_approval_from',
  'approved_by',
  'attempt',
  'started_at',
  'finished_at',
  'updated_at',
  'expected_seconds',
  'can',
]

/** Row of step `i` of 10,000 below a root: 100 groups with 99 steps each, and in the last group one that failed. */
function row(i: number): unknown[] {
  const [group, place] = [Math.floor((i - 1) / 100), (i - 1) % 100]
  const isGroup = i > 0 && place === 0
  const padded = (number: number) => String(number).padStart(3, '0')
  const name = i === 0 ? 'rollout' : isGroup ? `group ${group}` : `step ${group}-${place}`
  const order = i === 0 ? 'a' : isGroup ? `a${padded(group)}` : `a${padded(group)}${padded(place)}`
  const failed = i === 0 || i === 9_901 || i === 9_999
  const values: Readonly<Record<string, unknown>> = {
    id: stepId(i),
    parent_id: i === 0 ? null : isGroup ? stepId(0) : stepId(group * 100 + 1),
    name,
    full_path: name,
    step_type: isGroup || i === 0 ? 'stage' : 'standard',
    status_code: failed ? 'error' : 'success',
    tree_order: order,
    child_execution_strategy: 'sequential',
    ignore_failure: false,
    requires_approval_from: [],
    approved_by: [],
    attempt: 1,
    started_at: `2026-11-27T10:00:${String(place % 60).padStart(2, '0')}Z`,
    finished_at: '2026-11-27T10:01:00Z',
    updated_at: '2026-11-27T10:01:00Z',
    expected_seconds: 40,
    can: [],
  }
  return columns.map(each => values[each])
}

/** Answers for a change with 10,000 steps and a log of `total` lines in place of the service's. */
async function pretendLarge(page: Page, id: string, total: number): Promise<{ requests: number; trees: number }> {
  const log = { requests: 0, trees: 0 }
  await page.route(`**/api/changes/${id}/tree`, route => {
    log.trees += 1
    const rows = Array.from({ length: 10_000 }, (_, i) => row(i))
    return route.fulfill({
      json: { data: { id, type: 'step_tree', attributes: { columns, rows } } },
      contentType: 'application/vnd.api+json',
    })
  })
  await page.route(new RegExp(`/api/changes/${id}/log\\?`), route => {
    log.requests += 1
    const query = new URL(route.request().url()).searchParams
    const count = Number(query.get('tail') ?? query.get('lines'))
    const from = query.has('tail') ? total - count : Number(query.get('from'))
    const to = Math.min(total, from + count)
    const body = Array.from({ length: to - from }, (_, i) =>
      JSON.stringify({
        line: from + i,
        logged_at: '2026-11-27T10:00:00Z',
        category: 'stdout',
        attempt: 1,
        step_id: stepId(2),
        message: `row ${from + i + 1}`,
      }),
    ).join('\n')
    return route.fulfill({
      status: 206,
      body,
      contentType: 'application/x-ndjson',
      headers: { 'content-range': `lines ${from}-${to - 1}/${total}` },
    })
  })
  return log
}

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
