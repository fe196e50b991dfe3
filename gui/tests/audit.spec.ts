import type { Page } from '@playwright/test'
import type { Event } from '#client/generated/api.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const table = (page: Page) => page.getByRole('table', { name: 'Events' })

/** Sets a property of the asset `back`, and answers the id of the event that records it. */
async function setPort(bank: TestBank, port: number): Promise<string> {
  const ann = bank.as('ann')
  const asset = (await ann.document(`/api${bank.path}/environments/test/assets/back`)) as {
    data: { relationships: { properties: { data: { id: string } } } }
  }
  const { id } = asset.data.relationships.properties.data
  await ann.update(`/api/properties/${id}`, { data: { web: { port, workers: 3 } } })
  const [event] = await ann.list<Event>('/api/events', {
    'filter[type_eq]': 'api:properties:update',
    'filter[source_id_eq]': id,
    'filter[sorts]': 'created_at desc',
    limit: 1,
  })
  return event?.id ?? ''
}

test('an event of a change appears on top without a reload', async ({ page, open, bank }) => {
  await open(`/audit?node=${encodeURIComponent(bank.path)}&type=changes%3A`)
  await expect(table(page).or(page.getByText('No event matches these filters'))).toBeVisible()
  const change = await bank.change('colours', { asset: 'back' })
  const created = page.getByRole('row').filter({ has: page.locator(`a[href="/activities/${change.id}"]`) })
  await expect(created.filter({ hasText: 'api:changes:create' })).toBeVisible()
  await expect(created.filter({ hasText: 'api:changes:success' })).toBeVisible()
  await created.filter({ hasText: 'Change created' }).getByRole('link', { name: 'Change colours' }).click()
  await expect(page).toHaveURL(new RegExp(change.id))
})

test('the event of a step leads to the step in its change', async ({ page, open, bank }) => {
  const { id } = await bank.change('colours', { asset: 'back' })
  await bank.reaches(id, 'success')
  const [step] = await bank.as('ann').list(`/api/changes/${id}/steps`, { limit: 1 })
  await open(`/audit?type=api%3Asteps%3Asuccess&record=${step!.id}`)
  const link = table(page).locator(`a[href="/activities/${id}?step=${step!.id}"]`)
  await link.click()
  await expect(page).toHaveURL(new RegExp(`/activities/${id}\\?.*step=${step!.id}`))
  await page.goBack()
  await table(page).getByRole('link', { name: 'Step succeeded' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open the record' }).click()
  await expect(page).toHaveURL(new RegExp(`/activities/${id}\\?.*step=${step!.id}`))
})

test('further down the list, new events wait behind a chip and move nothing', async ({ page, open, bank }) => {
  for (let i = 0; i < 3; i += 1) await bank.reaches((await bank.change('deploy')).id, 'success')
  await open('/audit')
  const rows = page.locator('[role=rowgroup][tabindex]')
  await expect(table(page)).toBeVisible()
  await rows.evaluate(element => element.scrollTo({ top: 400 }))
  await expect(page.locator('[data-row="12"]')).toBeVisible()
  const before = await page.locator('[data-row="12"]').textContent()
  await setPort(bank, 4711)
  await expect(page.getByRole('button', { name: /new event/ })).toBeVisible()
  expect(await rows.evaluate(element => element.scrollTop)).toBe(400)
  expect(await page.locator('[data-row="12"]').textContent()).toBe(before)
  await page.getByRole('button', { name: /new event/ }).click()
  await expect(page.locator('[data-row="0"]')).toBeVisible()
  await expect(page.getByRole('button', { name: /new event/ })).toBeHidden()
})

test('an event shows before and after of a property, its request and its seal', async ({ page, open, bank }) => {
  await setPort(bank, 8081)
  const id = await setPort(bank, 8082)
  await open('/audit')
  await page.goto(`/audit?event=${id}`)
  const sheet = page.getByRole('dialog', { name: 'Properties updated' })
  await expect(sheet.getByText('8081')).toBeVisible()
  await expect(sheet.getByText('8082')).toBeVisible()
  await expect(sheet).toContainText('PATCH')
  await expect(sheet).toContainText('/web/port')
  // The event may have been opened before it was sealed.
  await expect(sheet.getByText('Previous hash')).toBeVisible({ timeout: 20_000 })
  await expect(sheet.getByText(/^[0-9a-f]{64}$/)).toHaveCount(2)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(/\/audit$/)
})

test('filters survive a reload and apply to the CSV file', async ({ page, open, bank }) => {
  await setPort(bank, 9090)
  await open('/audit')
  await page.getByLabel('Type contains').fill('properties')
  await page.getByLabel('User', { exact: true }).fill(bank.username('ann'))
  await expect(page).toHaveURL(/type=properties.*user=ann/)
  await expect(table(page).getByRole('link', { name: 'Properties updated' }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Type contains')).toHaveValue('properties')
  await expect(table(page).getByRole('link', { name: 'Properties updated' }).first()).toBeVisible()
  await expect(table(page).getByText('api:changes:create')).toHaveCount(0)
  const href = (await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) ?? ''
  const csv = await (await page.request.get(href)).text()
  expect(csv).toContain('api:properties:update')
  expect(csv).not.toContain('api:changes:create')
  await page.getByLabel('Type contains').fill('no-such-type')
  await expect(page.getByText('No event matches these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).last().click()
  await expect(table(page)).toBeVisible()
})

test('a wrong node is reported with the words of the service', async ({ page, open }) => {
  await open('/audit?node=bank')
  await expect(page.getByRole('alert')).toBeVisible()
})

test('the chain is shown to people who may read the whole trail only', async ({ page, open, browser, bank }) => {
  await open('/audit', 'admin')
  await page.getByRole('button', { name: /^Sealed up to/ }).click()
  await expect(page.getByRole('dialog')).toContainText('sluice audit verify --head')
  const other = await (await browser.newContext({ baseURL: bank.address })).newPage()
  await open('/audit', 'carol', other)
  await expect(other.getByText('No events')).toBeVisible()
  await expect(other.getByRole('button', { name: /^Sealed up to/ })).toHaveCount(0)
  await other.context().close()
})

test('the history and an event are accessible', async ({ page, open, bank }) => {
  const id = await setPort(bank, 7001)
  await open('/audit')
  await expectGoodEverywhere(page, () => expect(table(page)).toBeVisible())
  await page.goto(`/audit?event=${id}`)
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog').getByText('Before and after')).toBeVisible())
})
