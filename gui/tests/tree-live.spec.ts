import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The tree of nodes, kept current by its stream. */

const assets = '/projects/bank/environments/live/assets'
const tree = (page: Page) => page.getByRole('tree', { name: 'Nodes' })

/** Statuses of the responses to reads of the list of nodes. */
function listReads(page: Page): number[] {
  const reads: number[] = []
  page.on('response', response => {
    const { pathname, searchParams } = new URL(response.url())
    if (pathname === '/api/nodes' && searchParams.get('limit') === '10000') reads.push(response.status())
  })
  return reads
}

test('the tree follows its nodes and what runs on them, and the list is not read again', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const reads = listReads(page)
  await open(`${assets}/back?tab=details`)
  const row = tree(page).getByRole('treeitem', { name: /back/ }).first()
  await expect(row).toBeVisible()
  // The list is read once more when its stream is connected.
  await expect.poll(() => reads.length).toBe(2)
  const before = reads.length

  const { id } = await bank.change('drip', { asset: 'back' })
  await bank.reaches(id, 'running')
  // The asset `back` of the other environment is in the tree as well, and nothing runs on it.
  const back = (status: string) => tree(page).getByRole('treeitem', { name: new RegExp(`^Asset back .* ${status}$`) })
  await expect(back('running')).toBeVisible()
  await ann.remove(`/api/changes/${id}`)
  await expect(back('cancelled')).toBeVisible()

  await ann.create(`/api${assets}`, { code: 'side', name: 'Side', template_code: 'web', template_version: '1.0' })
  const side = tree(page).locator(`a[href^="${assets}/side"]`)
  await expect(side).toBeVisible()
  await ann.update(`/api${assets}/side`, { name: 'Another side' })
  await expect(side).toHaveAttribute('title', /Another side/)
  await ann.update(`/api${assets}/side`, { archived: true })
  await expect(side).toBeHidden()
  await ann.update(`/api${assets}/side`, { archived: false })
  await expect(side).toBeVisible()
  await ann.update(`/api${assets}/side`, { archived: true })
  expect(reads.slice(before)).toEqual([])
})

test('a tree whose service was killed says so, and follows again when it is back', async ({ page, open, bank }) => {
  await open('/projects')
  await expect(tree(page)).toBeVisible()
  await bank.kill()
  await expect(page.getByRole('status').filter({ hasText: 'Not connected since' })).toBeVisible()
  await bank.start()
  await expect(page.getByRole('status').filter({ hasText: 'Not connected since' })).toBeHidden()
  const front = tree(page).locator(`a[href^="${assets}/front"]`)
  await bank.as('ann').update(`/api${assets}/front`, { name: 'Front door' })
  await expect(front).toHaveAttribute('title', /Front door/)
  await bank.as('ann').update(`/api${assets}/front`, { name: 'Front' })
  await expect(front).toHaveAttribute('title', /^Front /)
})

test('a list that did not change while the tab was hidden is not sent again', async ({ page, open }) => {
  const reads = listReads(page)
  await open('/projects')
  await expect(tree(page)).toBeVisible()
  // The list is read once more when its stream is connected.
  await expect.poll(() => reads.length).toBe(2)
  const before = reads.length
  for (const state of ['hidden', 'visible'])
    await page.evaluate(value => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await expect.poll(() => reads.slice(before)).toEqual([304])
  await expect(tree(page).getByRole('treeitem').first()).toBeVisible()
})
