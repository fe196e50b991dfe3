import type { Locator } from '@playwright/test'
import { MainThread } from './cpu.ts'
import { test, expect as usual } from './fixtures.ts'
import { pretendLarge } from './large-activity.ts'

/** Wall times do not count here. */
const expect = usual.configure({ timeout: 120_000 })

/** Budgets of the main thread in milliseconds of CPU on the reference machine (`cpu.ts`). */
const budgets = {
  /** Until a page shows its records, from the first script on. */
  page: 300,
  /** The same for an activity with 10,000 steps, which are read in ten answers. */
  largePage: 700,
  /** Each frame while a log of 200,000 lines is scrolled from its top to its end. */
  logFrame: 8,
  /** Each frame while a tree of 10,000 steps is scrolled from its top to its end. */
  treeFrame: 15,
  /** From the click on a step to its log. */
  click: 100,
}

const jumps = 120

/** CPU of a frame while an element is scrolled from top to end; the better of two passes. */
async function frames(thread: MainThread, name: string, element: Locator): Promise<number> {
  const passes: number[] = []
  for (let pass = 0; pass < 2; pass++)
    passes.push((await thread.during(`${jumps} × ${name}`, () => element.evaluate(scrollThrough, jumps))) / jumps)
  return Math.min(...passes)
}

/** Scrolls an element from top to end, a jump in each frame; runs in the page. */
const scrollThrough = (element: Element, count: number): Promise<void> =>
  new Promise(resolve => {
    let jump = 0
    const next = () => {
      if (jump > count) return resolve()
      element.scrollTop = (jump / count) * element.scrollHeight
      jump += 1
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })

// A trace records the page at each action, in the same thread.
test.use({ trace: 'off' })

test('pages, large logs and large trees stay within their budgets of CPU', async ({ page, open, bank }) => {
  const { id } = await bank.change('check')
  await bank.reaches(id, 'success')
  // The first page starts the process of the browser that the others use.
  await open('/me')
  const thread = await MainThread.of(page)

  const list = await thread.loading('list of activities', async () => {
    await page.goto('/activities')
    await expect(page.getByRole('link', { name: 'check' }).first()).toBeVisible()
  })
  expect.soft(list).toBeLessThanOrEqual(budgets.page)

  const activity = await thread.loading('page of an activity', async () => {
    await page.goto(`/activities/${id}`)
    await expect(page.getByText('all disks have room')).toBeVisible()
  })
  expect.soft(activity).toBeLessThanOrEqual(budgets.page)

  await pretendLarge(page, id, 200_000)
  const large = await thread.loading('page of an activity with 10,000 steps', async () => {
    await page.goto(`/activities/${id}?line=1`)
    await expect(page.getByText('10,000 of 10,000 steps')).toBeVisible()
    await expect(page.getByText('row 1', { exact: true })).toBeVisible()
  })
  expect.soft(large).toBeLessThanOrEqual(budgets.largePage)

  const log = page.getByRole('log')
  expect.soft(await frames(thread, 'jump through the log', log)).toBeLessThanOrEqual(budgets.logFrame)

  const tree = page.getByRole('tree', { name: 'Steps of the activity' })
  await tree.getByRole('treeitem').first().waitFor()
  expect.soft(await frames(thread, 'jump through the tree', tree)).toBeLessThanOrEqual(budgets.treeFrame)

  const step = await tree.getByRole('treeitem', { name: 'success step 99-90' }).boundingBox()
  const click = await thread.during('click on a step', async () => {
    // By its place: looking for the element again would be work of the page as well.
    await page.mouse.click(step!.x + step!.width / 2, step!.y + step!.height / 2)
    await expect(page).toHaveURL(/step=/)
  })
  expect.soft(click).toBeLessThanOrEqual(budgets.click)
})
