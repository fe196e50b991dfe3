import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('a change made elsewhere appears and ends without a reload', async ({ page, open, bank }) => {
  await open('/activities')
  await expect(page.getByRole('table', { name: 'Activities' }).or(page.getByText('No activities yet'))).toBeVisible()
  const { id } = await bank.change('colours', { asset: 'back' })
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/activities/${id}"]`) })
  await expect(row).toBeVisible()
  await expect(row).toContainText('success')
})

test('filters stand in the address and survive Back and reload', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('broken')).id, 'error')
  await bank.reaches((await bank.change('check')).id, 'success')
  await open('/activities')
  await page.getByRole('button', { name: 'error' }).click()
  const table = page.getByRole('table', { name: 'Activities' })
  await expect(table.getByRole('link', { name: 'broken' }).first()).toBeVisible()
  await expect(table.getByRole('link', { name: 'check' })).toHaveCount(0)
  await page.getByLabel('Path contains…').fill('nothing-like-this')
  await expect(page.getByText('No activity matches these filters')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No activity matches these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(table.getByRole('link', { name: 'check' }).first()).toBeVisible()
  await table.getByRole('link', { name: 'broken' }).first().click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}/)
  await page.goBack()
  await expect(table).toBeVisible()
})

test('rows are reached by keyboard', async ({ page, open, bank }) => {
  for (const action of ['check', 'fetch']) await bank.reaches((await bank.change(action)).id, 'success')
  await open('/activities')
  await expect(page.getByRole('table', { name: 'Activities' })).toBeVisible()
  await page.locator('[data-row="0"] a').first().focus()
  await page.keyboard.press('j')
  await expect(page.locator('[data-row="1"] a').first()).toBeFocused()
  await page.keyboard.press('k')
  await expect(page.locator('[data-row="0"] a').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}/)
})

test('a person without rights sees an empty list with the next step', async ({ page, open }) => {
  await open('/activities', 'carol')
  await expect(page.getByText('No activities yet')).toBeVisible()
})

test('the list is accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('check')).id, 'success')
  await open('/activities')
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Activities' })).toBeVisible())
})

test('further filters find activities by user, action, metadata and time, and are counted', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('colours', { attributes: { metadata: { ticket: 'CHG-2041' } } })
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/activities/${id}"]`) })
  await open('/activities')
  const more = page.getByRole('button', { name: /^More filters/ })
  await more.click()
  await page.getByLabel('Metadata').fill('ticket=CHG-2041')
  await expect(page).toHaveURL(/metadata=ticket/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(row).toBeVisible()
  await page.getByLabel('User').fill(bank.username('ann'))
  await page.getByLabel('Action or workflow').fill('colour')
  await page.getByLabel('Created from').fill('2026-01-01T00:00')
  await expect(page).toHaveURL(/by=ann.*name=colour|name=colour.*by=ann/)
  await expect(row).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Metadata')).toHaveValue('ticket=CHG-2041')
  await expect(more).toHaveText('More filters (4)')
  await page.getByLabel('Action or workflow').fill('nothing of this name')
  await expect(page.getByText('No activity matches these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(row).toBeVisible()
  await expect(page).toHaveURL(/\/activities$/)
})

test('the further filters are accessible', async ({ page, open }) => {
  await open('/activities?by=ann')
  // They are open in a window that is wide when the page is drawn.
  await expect(page.getByLabel('Metadata')).toBeVisible()
  await expectGoodEverywhere(page, () => expect(page.getByLabel('Metadata')).toBeVisible())
  await page.setViewportSize({ width: 360, height: 800 })
  await page.reload()
  await expect(page.getByText('More filters (1)')).toBeVisible()
  await expect(page.getByLabel('Metadata')).toBeHidden()
})
