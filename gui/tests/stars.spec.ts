import type { Locator, Page } from '@playwright/test'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const liveAssets = ({ path }: TestBank) => ({
  front: `${path}/environments/live/assets/front`,
  back: `${path}/environments/live/assets/back`,
})

const preferencesOf = async (bank: TestBank, user: string) =>
  (await bank.as(user).show<{ data: Record<string, object | undefined> }>('/api/me/preferences')).attributes.data

const panel = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })

/** Star beside the heading, which is drawn after the tree with its own stars. */
async function starOfPage(page: Page): Promise<Locator> {
  await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
  return page.getByRole('main').getByRole('button', { name: 'Star Front' }).last()
}

test.afterEach(async ({ bank }) => {
  for (const user of ['ann', 'bob'])
    await bank.as(user).update('/api/me/preferences', { data: { starred_nodes: null, recent_nodes: null } })
})

test('a star set on a node is on the dashboard, in the tree and first in the palette, in every browser', async ({
  page,
  open,
  bank,
  browser,
}) => {
  const { front } = liveAssets(bank)
  await open(front)
  const heading = await starOfPage(page)
  await expect(heading).toHaveAttribute('aria-pressed', 'false')
  await heading.click()
  await expect(heading).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('treeitem', { selected: true }).getByRole('button')).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect.poll(async () => (await preferencesOf(bank, 'ann'))['starred_nodes']).toEqual({ [front]: true })

  const other = await (await browser.newContext({ baseURL: bank.address })).newPage()
  await open('/', 'ann', other)
  await expect(panel(other, 'Starred nodes').getByRole('link', { name: 'Front' })).toBeVisible()
  await other.keyboard.press('Control+k')
  await expect(other.getByRole('option').first()).toContainText(front)
  await other.getByRole('combobox').fill('fron')
  await expect(other.getByRole('option').first()).toContainText(front)
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL(new RegExp(`${front}$`))
  await other.context().close()

  await page.goto('/')
  await panel(page, 'Starred nodes').getByRole('button', { name: 'Star Front' }).click()
  await expect(page.getByText('The star beside the name of a node keeps the node here.')).toBeVisible()
  await expect.poll(async () => (await preferencesOf(bank, 'ann'))['starred_nodes']).toEqual({})
})

test('the active row of the tree is starred by a key', async ({ page, open, bank }) => {
  const { back } = liveAssets(bank)
  await open(back)
  await page.getByRole('tree', { name: 'Nodes' }).focus()
  await page.keyboard.press('*')
  await expect.poll(async () => (await preferencesOf(bank, 'ann'))['starred_nodes']).toEqual({ [back]: true })
  await page.keyboard.press('*')
  await expect.poll(async () => (await preferencesOf(bank, 'ann'))['starred_nodes']).toEqual({})
})

test('a star that cannot be saved is taken back, and says why', async ({ page, open, bank }) => {
  const { front } = liveAssets(bank)
  await open(front)
  await page.route('**/api/me/preferences', (route, request) =>
    request.method() === 'PATCH' ? route.abort('connectionrefused') : route.continue(),
  )
  const heading = await starOfPage(page)
  await heading.click()
  await expect(page.getByRole('status').getByText('The service cannot be reached')).toBeVisible()
  await expect(heading).toHaveAttribute('aria-pressed', 'false')
})

test('a starred node that is gone says so and can lose its star', async ({ page, open, bank }) => {
  const { front } = liveAssets(bank)
  await bank
    .as('bob')
    .update('/api/me/preferences', { data: { starred_nodes: { '/projects/gone': true, [front]: true } } })
  await open('/', 'bob')
  const row = panel(page, 'Starred nodes').getByRole('listitem').filter({ hasText: 'gone' })
  await expect(row).toContainText('It was destroyed, or you may not read it.')
  await row.getByRole('button', { name: 'Star gone' }).click()
  await expect(row).toHaveCount(0)
  await expect.poll(async () => (await preferencesOf(bank, 'bob'))['starred_nodes']).toEqual({ [front]: true })
})

test('nodes that were looked at are recent at once, and are written together when the page is left', async ({
  page,
  open,
  bank,
  browser,
}) => {
  const { back } = liveAssets(bank)
  // Without the interval of 15 s the page is hidden before anything is written, however slow the machine is.
  await page.addInitScript(() => {
    const original = window.setInterval
    window.setInterval = ((handler: TimerHandler, delay?: number) =>
      delay === 15_000 ? 0 : original(handler, delay)) as typeof window.setInterval
  })
  let writes = 0
  page.on('request', request => {
    if (request.method() === 'PATCH') writes += 1
  })
  await open(back)
  await expect(page.getByRole('heading', { name: 'Back', level: 1 })).toBeVisible()
  await page.getByRole('treeitem', { name: /front/ }).first().getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: 'Recent nodes' })
  await expect(recent.getByRole('option').first()).toContainText('/front')
  await expect(recent.getByRole('option').nth(1)).toContainText('/back')
  expect(writes).toBe(0)
  await page.keyboard.press('Escape')

  const saved = page.waitForRequest(request => request.method() === 'PATCH')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(Object.keys((await saved).postDataJSON().data.attributes.data.recent_nodes).toSorted()).toHaveLength(2)
  const other = await (await browser.newContext({ baseURL: bank.address })).newPage()
  await expect.poll(async () => Object.keys((await preferencesOf(bank, 'ann'))['recent_nodes'] ?? {}).length).toBe(2)
  await open('/', 'ann', other)
  await expect(panel(other, 'Recent nodes').getByRole('link').first()).toHaveText('Front')
  await other.context().close()
})

test('a visit that was not written before the tab was closed is written by the next page', async ({
  page,
  open,
  bank,
}) => {
  const { front } = liveAssets(bank)
  await page.clock.install()
  await open(front)
  await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
  await page.route('**/api/me/preferences', (route, request) =>
    request.method() === 'PATCH' ? route.abort('connectionrefused') : route.continue(),
  )
  await page.goto('/activities')
  await expect(page.getByRole('heading', { name: 'Activities', level: 1 })).toBeVisible()
  await page.unroute('**/api/me/preferences')
  await page.clock.runFor(20_000)
  await expect.poll(async () => Object.keys((await preferencesOf(bank, 'ann'))['recent_nodes'] ?? {})).toEqual([front])
})

test('stars and recent nodes are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const { front, back } = liveAssets(bank)
  const now = new Date().toISOString()
  await bank.as('ann').update('/api/me/preferences', {
    data: { starred_nodes: { [front]: true, '/projects/gone': true }, recent_nodes: { [back]: now, [front]: now } },
  })
  await open('/')
  await expectGoodEverywhere(page, () =>
    expect(panel(page, 'Starred nodes').getByRole('link', { name: 'Front' })).toBeVisible(),
  )
  await page.keyboard.press('Control+k')
  await expectGoodEverywhere(page, () => expect(page.getByRole('group', { name: 'Recent nodes' })).toBeVisible())
  await page.goto(front)
  await expectGoodEverywhere(page, () =>
    expect(page.getByRole('main').getByRole('button', { name: 'Star Front' }).last()).toHaveAttribute(
      'aria-pressed',
      'true',
    ),
  )
})
