import type { Page } from '@playwright/test'
import type { Sluice } from '#client/sluice.ts'
import { expect, test } from './fixtures.ts'

/** Counts the requests for ranges of logs, with which a page would read the end of a log again and again. */
function countReads(page: Page): { reads: number } {
  const counted = { reads: 0 }
  page.on('request', request => {
    if (/\/log\?/.test(request.url())) counted.reads += 1
  })
  return counted
}

/** Waits until twenty further lines have come without a range that was read for them. */
async function comesByStream(page: Page, counted: { reads: number }): Promise<void> {
  const last = async () => Number(/\d+$/.exec((await page.locator('[data-text]').allTextContents()).at(-1) ?? '')?.[0])
  // Ranges are read until the stream has begun.
  await expect(async () => {
    const [reads, begin] = [counted.reads, await last()]
    await expect.poll(last).toBeGreaterThanOrEqual(begin + 20)
    expect(counted.reads).toBe(reads)
  }).toPass()
}

/** Asserts that the page shows the number of lines of a log, and its end as the service has it. */
async function isWhole(page: Page, sluice: Sluice, path: string): Promise<void> {
  const answer = await sluice.raw(`${path}tail=100`, { accept: 'text/plain' })
  const total = Number(answer.headers.get('content-range')?.split('/')[1])
  await expect(page.getByText(`${total.toLocaleString('en')} lines`, { exact: true })).toBeVisible()
  const lines = (await answer.text()).trimEnd().split('\n')
  const isEnd = async () => {
    const drawn = await page.locator('[data-text]').allTextContents()
    return drawn.length > 1 && drawn.join('\n') === lines.slice(-drawn.length).join('\n')
  }
  await expect.poll(isEnd).toBe(true)
}

test('lines of a group of steps come by a stream, and the log is whole at the end', async ({ page, open, bank }) => {
  const { id } = await bank.change('drip-twice', { asset: 'back' })
  const counted = countReads(page)
  await open(`/activities/${id}`)
  await page.getByRole('treeitem', { name: 'Both' }).click()
  await expect(
    page
      .getByRole('log', { name: 'Log of Both' })
      .getByText(/^left \d+$/)
      .first(),
  ).toBeVisible()
  await comesByStream(page, counted)
  const step = new URL(page.url()).searchParams.get('step')!
  await bank.as('ann').remove(`/api/changes/${id}`)
  await expect(page).toHaveTitle('drip-twice cancelled · back · Sluice')
  await isWhole(page, bank.as('ann'), `/api/steps/${step}/log?include_child_steps=true&`)
})

test('lines of the changes of a workflow run, and of one of its steps, come by a stream', async ({
  page,
  open,
  bank,
}) => {
  await bank.as('admin').create('/api/projects/bank/workflows', {
    code: 'dripping',
    name: 'Dripping',
    source_yaml: `steps:
  - { name: First, target: environments/live/assets/front, action: check }
  - { name: Second, target: environments/live/assets/back, action: drip-twice }
`,
    draft: false,
  })
  const { id } = await bank.as('admin').create('/api/projects/bank/workflows/dripping/runs')
  const counted = countReads(page)
  await open(`/activities/${id}`, 'bob')
  await expect(
    page
      .getByRole('log')
      .getByText(/^left \d+$/)
      .first(),
  ).toBeVisible()
  await comesByStream(page, counted)
  await page.getByRole('treeitem', { name: 'Second' }).click()
  await expect(
    page
      .getByRole('log', { name: 'Log of Second' })
      .getByText(/^left \d+$/)
      .first(),
  ).toBeVisible()
  await comesByStream(page, counted)
  const step = new URL(page.url()).searchParams.get('step')!
  await bank.as('admin').remove(`/api/workflow_runs/${id}`)
  await expect(page).toHaveTitle('dripping cancelled · bank · Sluice')
  await isWhole(page, bank.as('bob'), `/api/workflow_steps/${step}/log?`)
})
