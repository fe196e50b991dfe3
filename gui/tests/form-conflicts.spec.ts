import type { Page } from '@playwright/test'
import type { Bookmark } from '#client/generated/api.ts'
import { expect, type TestBank, test } from './fixtures.ts'

// Nothing but the form of a bookmark reads the single bookmark, so its requests are those of the form.
test.use({ ownProject: true })

const dialogOf = (page: Page) => page.getByRole('dialog')
const noticeOf = (page: Page) => dialogOf(page).getByRole('alert')
const nodeOf = (bank: TestBank) => `${bank.path}/environments/test`

/** Adds a bookmark; returns its path in the API. */
async function newBookmark(bank: TestBank, description: string): Promise<string> {
  const list = `/api${nodeOf(bank)}/bookmarks`
  const { id } = await bank.as('ann').create(list, { description, url: 'https://example.org/1' })
  return `${list}/${id}`
}

test('a form reads its record once after a conflict', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  const path = await newBookmark(bank, 'Runbook')
  const requests: string[] = []
  page.on('request', each => {
    if (new URL(each.url()).pathname === path) requests.push(each.method())
  })
  await open(`${nodeOf(bank)}?tab=bookmarks`)
  const change = page.getByRole('button', { name: 'Edit Runbook' })
  const save = dialogOf(page).getByRole('button', { name: 'Save' })
  const meetConflict = async () => {
    await save.click()
    await expect(save).not.toHaveAttribute('aria-busy')
  }
  const read = page.waitForResponse(each => new URL(each.url()).pathname === path)
  await change.click()
  await read
  await dialogOf(page).getByLabel('Text').fill('Runbook of mine')

  await ann.update(path, { description: 'Runbook of theirs' })
  await meetConflict()
  await expect(noticeOf(page)).toContainText('Runbook of theirs')
  expect(requests).toEqual(['GET', 'PATCH', 'GET'])

  // The same form meets another conflict.
  await ann.update(path, { url: 'https://example.org/2' })
  await meetConflict()
  await expect(dialogOf(page).getByLabel('Address')).toHaveValue('https://example.org/2')
  expect(requests).toEqual(['GET', 'PATCH', 'GET', 'PATCH', 'GET'])

  // What is there has changed in nothing that the form shows, and is refused all the time.
  requests.length = 0
  await page.route(`**${path}`, (route, request) =>
    request.method() === 'PATCH' ? route.fulfill({ status: 412, json: { errors: [] } }) : route.continue(),
  )
  await meetConflict()
  expect(requests).toEqual(['PATCH', 'GET', 'PATCH', 'GET', 'PATCH', 'GET'])
  await expect(noticeOf(page)).toContainText('Runbook of theirs')
  await page.unroute(`**${path}`)
  await save.click()
  await expect(dialogOf(page)).toBeHidden()
  expect((await ann.show<Bookmark>(path)).attributes).toMatchObject({
    description: 'Runbook of mine',
    url: 'https://example.org/2',
  })
})

test('a form in conflict says why it cannot be saved at all', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  const path = await newBookmark(bank, 'Manual')
  await open(`${nodeOf(bank)}?tab=bookmarks`)
  await page.getByRole('button', { name: 'Edit Manual' }).click()
  await expect(dialogOf(page).getByLabel('Address')).toHaveValue('https://example.org/1')
  await dialogOf(page).getByLabel('Text').fill('Manual of mine')
  await ann.update(path, { description: 'Manual of theirs' })
  const save = dialogOf(page).getByRole('button', { name: 'Save' })
  await save.click()
  await expect(noticeOf(page)).toContainText('Manual of theirs')
  await ann.remove(path)
  await save.click()
  await expect(noticeOf(page).filter({ hasText: /no such|not exist|not found|may not/i })).toBeVisible()
})

test('a form that is saved before its record is read keeps what the other fields have', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const path = await newBookmark(bank, 'Handbook')
  await open(`${nodeOf(bank)}?tab=bookmarks`)
  const { promise: isSaved, resolve: saved } = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route, request) => {
    if (request.method() === 'GET') await isSaved
    await route.continue()
  })
  await page.getByRole('button', { name: 'Edit Handbook' }).click()
  await dialogOf(page).getByLabel('Text').fill('Handbook of mine')
  await ann.update(path, { url: 'https://example.org/2' })
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  saved()
  await expect(dialogOf(page)).toBeHidden()
  expect((await ann.show<Bookmark>(path)).attributes).toMatchObject({
    description: 'Handbook of mine',
    url: 'https://example.org/2',
  })
})
