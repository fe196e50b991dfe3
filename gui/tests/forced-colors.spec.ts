import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** What a box is drawn with besides its ground: its outline, and its ground if that is a colour of the system. */
const drawn = (box: Locator) =>
  box.evaluate(element => {
    const { outlineStyle, backgroundColor } = getComputedStyle(element)
    return { outlineStyle, backgroundColor }
  })

test.use({ ownProject: true })

test('what is current, chosen or counted can be told apart with the colours of the system alone', async ({
  page,
  open,
  bank,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const { id } = await bank.change('check', { asset: 'back' })
  await bank.reaches(id, 'success')
  await open(`/activities/${id}?step=check`)
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  for (const [chosen, other] of [
    [navigation.getByRole('link', { name: 'Activities' }), navigation.getByRole('link', { name: 'Templates' })],
    [page.getByRole('link', { name: 'Log', exact: true }), page.getByRole('link', { name: 'Timeline' })],
  ] as const) {
    expect((await drawn(chosen)).outlineStyle).toBe('solid')
    expect((await drawn(other)).outlineStyle).toBe('none')
  }
  await page.getByRole('treeitem').first().click()
  const selected = page.locator('[role="treeitem"][aria-selected="true"]')
  expect((await drawn(selected)).outlineStyle).toBe('solid')

  await open('/')
  const bars = page.locator('[class*="succeeded"]')
  await expect(bars.first()).toBeVisible()
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect((await drawn(bars.last())).backgroundColor).not.toBe(ground)

  await open('/me')
  const nightly = { action: 'check', cron_schedule: '30 2 * * *', time_zone: 'UTC' }
  await bank.as('ann').create(`/api${bank.path}/environments/test/assets/back/scheduled_activities`, nightly)
  await open('/schedules')
  const thumb = page.getByRole('switch').first().locator('span')
  expect((await drawn(thumb.last())).backgroundColor).not.toBe(ground)
})
