import type { Page } from '@playwright/test'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test('a service that is killed under an open page is reported, and the page goes on when it is back', async ({
  page,
  open,
  bank,
}) => {
  const running = await bank.change('drip', { asset: 'back' })
  await open('/activities')
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/activities/${running.id}"]`) })
  await expect(row).toContainText('running')
  await bank.kill()
  await expect(page.getByText(/Not connected since/)).toBeVisible()
  await bank.start()
  await expect(page.getByText(/Not connected since/)).toBeHidden()
  await bank.as('ann').remove(`/api/changes/${running.id}`)
  await expect(row).toContainText('cancelled')
})

test('a lost connection is reported by pages with and without a live stream', async ({ page, open, bank, context }) => {
  const lost = (on: Page) => on.getByText(/Not connected since [0-9:]+: this page may be out of date/)
  const live = await context.newPage()
  await open('/approvals', 'ann', live)
  await page.clock.install()
  await open('/access')
  await bank.kill()
  await expectGoodEverywhere(live, () => expect(lost(live)).toBeVisible())
  await page.clock.fastForward('00:20')
  await expect(lost(page)).toBeVisible()
  await bank.start()
  await page.clock.fastForward('00:20')
  for (const tab of [live, page]) await expect(lost(tab)).toBeHidden()
})

test('eight tabs share their streams, so that each stays live and every request gets through', async ({
  page,
  open,
  bank,
  context,
}) => {
  await open('/activities')
  const tabs = [page]
  for (let i = 1; i < 8; i++) {
    const tab = await context.newPage()
    await tab.goto('/activities')
    tabs.push(tab)
  }
  const { id } = await bank.change('check', { asset: 'back' })
  // Tabs behind another count as visible for the browser here, so that all of them watch.
  for (const tab of tabs) await expect(tab.locator(`a[href="/activities/${id}"]`)).toBeVisible()
  const last = tabs.at(-1)!
  await last.reload()
  await expect(last.locator(`a[href="/activities/${id}"]`)).toBeVisible()
})

test('a hidden tab catches up when it is shown again', async ({ page, open, bank }) => {
  let reads = 0
  page.on('response', response => {
    if (new URL(response.url()).pathname === '/api/activities') reads += 1
  })
  await open('/activities')
  // The list is read once more when its stream is connected.
  await expect.poll(() => reads).toBeGreaterThanOrEqual(2)
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate(value => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  const { id } = await bank.change('check', { asset: 'back' })
  await bank.reaches(id, 'success')
  await expect(page.locator(`a[href="/activities/${id}"]`)).toHaveCount(0)
  await show('visible')
  await expect(page.locator(`a[href="/activities/${id}"]`)).toBeVisible()
})

test.describe('without the service', () => {
  test.use({ provokes: /preload CSS|dynamically imported module/ })

  test('a page that is opened while the service is away says so, and loads when it is asked again', async ({
    page,
    open,
    bank,
  }) => {
    await open('/activities')
    await bank.kill()
    await page.getByRole('link', { name: 'Templates' }).click()
    await expect(page.getByText('The service cannot be reached')).toBeVisible()
    await bank.start()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: 'Web server' })).toBeVisible()
  })
})
