import type { Page } from '@playwright/test'

/** A change with 10,000 steps and a log of any length, as its page reads them; a runner would take hours to make them. */

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
  'log_line_count',
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
    log_line_count: 0,
    can: [],
  }
  return columns.map(each => values[each])
}

/** Answers for a change with 10,000 steps and a log of `total` lines in place of the service's. */
export async function pretendLarge(
  page: Page,
  id: string,
  total: number,
): Promise<{ requests: number; trees: number }> {
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
