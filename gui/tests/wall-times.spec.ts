import { expect, test } from './fixtures.ts'

/**
 * Wall times of what people wait for. They are printed and not judged: they say as much about the machine as about the
 * application. Playwright looks for what it waits for about every 50 ms.
 */

test('a page appears for the first time', async ({ page, open }) => {
  await open('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const [first, largest] = await page.evaluate(
    () =>
      new Promise<[number, number]>(resolve => {
        const [paint] = performance.getEntriesByName('first-contentful-paint')
        new PerformanceObserver(list =>
          resolve([paint?.startTime ?? Number.NaN, list.getEntries().at(-1)!.startTime]),
        ).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
  console.log(`wall: first paint ${Math.round(first)} ms, largest paint ${Math.round(largest)} ms`)
  expect(first).toBeGreaterThan(0)
  expect(largest).toBeGreaterThanOrEqual(first)
})

test('a link to a line of a log is opened', async ({ page, open, bank }) => {
  const { id } = await bank.change('chatty')
  await bank.reaches(id, 'success')
  const began = performance.now()
  await open(`/activities/${id}?line=4321`)
  await expect(page.getByText('line 4321 of 5000', { exact: true })).toBeInViewport()
  console.log(`wall: link to a line, cold ${Math.round(performance.now() - began)} ms`)
})

test('a change becomes a row of the list, and its lines appear as they are printed', async ({ page, open, bank }) => {
  await open('/activities')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const began = Date.now()
  const { id } = await bank.change('drip', { asset: 'back' })
  const created = Date.now()
  await page.locator(`a[href="/activities/${id}"]`).waitFor()
  console.log(`wall: change created in ${created - began} ms, its row ${Date.now() - created} ms later`)

  await open(`/activities/${id}`)
  const lines = page.getByRole('log').getByText(/^drop \d+$/)
  await expect(lines.first()).toBeVisible()
  const next = Number(/\d+$/.exec((await lines.allTextContents()).at(-1) ?? '')?.[0]) + 3
  await page.getByText(`drop ${next}`, { exact: true }).waitFor()
  const shown = Date.now()
  const log = await bank.as('ann').list<{ message: string; logged_at: string }>(`/api/changes/${id}/log_lines`, {
    'filter[message_eq]': `drop ${next}`,
  })
  const [line] = log
  expect(line?.attributes.message).toBe(`drop ${next}`)
  console.log(`wall: a line is shown ${shown - Date.parse(line!.attributes.logged_at)} ms after it was printed`)
  await bank.as('ann').remove(`/api/changes/${id}`)
})
