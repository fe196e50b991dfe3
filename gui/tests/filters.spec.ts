import type { Page } from '@playwright/test'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'
import { robots } from './robots.ts'

test.use({ ownProject: true })

const row = (page: Page) => page.getByRole('group', { name: 'Filters in force' })
const remove = (page: Page, filter: string) =>
  row(page).getByRole('button', { name: `Remove the filter ${filter}`, exact: true })

/** Every list with filters: an address with all of them, what the row says of each, and the address without any. */
const lists: readonly (readonly [address: string, filters: readonly string[], rest: string, person?: string])[] = [
  [
    '/activities?active=true&mine=true&waiting=true&status=%5B%22error%22%2C%22system_error%22%5D&path=x1&name=x2&by=x3' +
      '&under=%2Fprojects%2Fbank&metadata=ticket%3DCHG-1&from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z' +
      '&sort=created_at',
    [
      'In progress',
      'Mine',
      'Waiting for me',
      'Status: error',
      'Status: system error',
      'Path contains: x1',
      'Action or workflow: x2',
      'User: x3',
      'Node and below: /projects/bank',
      'Metadata: ticket=CHG-1',
      'Created from: ',
      'Created to: ',
    ],
    '/activities?sort=created_at',
  ],
  [
    '/audit?type=x1&user=x2&node=%2Fprojects%2Fbank&name=x3&source=step&record=00000000-0000-4000-8000-000000000000' +
      '&from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z',
    [
      'Type contains: x1',
      'User: x2',
      'At or below node: /projects/bank',
      'Name contains: x3',
      'Record type: Step',
      'Record: 00000000-0000-4000-8000-000000000000',
      'From: ',
      'To: ',
    ],
    '/audit',
  ],
  [
    '/schedules?text=x1&under=%2Fprojects%2Fbank&disabled=true',
    ['Action or workflow contains: x1', 'Node and below: /projects/bank', 'Disabled'],
    '/schedules',
  ],
  ['/templates?q=x1', ['Name or code contains: x1'], '/templates'],
  [
    '/workflows?text=x1&project=bank&archived=true',
    ['Name or code contains: x1', 'Project: bank', 'Archived'],
    '/workflows',
  ],
  ['/agents?q=x1&archived=true', ['Name contains: x1', 'Show archived'], '/agents', 'admin'],
  ['/access?find=x1', ['Name contains: x1'], '/access', 'admin'],
  ['/access?view=users&find=x1&group=g1', ['Name contains: x1', 'Group: g1'], '/access?view=users', 'admin'],
  ['/access?view=groups&find=x1', ['Name contains: x1'], '/access?view=groups', 'admin'],
  ['/admin/jobs?status=error', ['Status: failed'], '/admin/jobs', 'admin'],
]

for (const [address, filters, rest, person] of lists)
  test(`${rest} lists the filters in force, which are removed one by one or all at once`, async ({ page, open }) => {
    await open(address, person)
    const buttons = row(page).getByRole('button', { name: /^Remove the filter/ })
    await expect(buttons).toHaveCount(filters.length)
    for (const [at, text] of filters.entries()) await expect(buttons.nth(at)).toContainText(text)
    const height = async () => (await row(page).boundingBox())?.height ?? 0
    await buttons.first().click()
    await expect(buttons).toHaveCount(filters.length - 1)
    // The place of a person who moves by keyboard is kept.
    await expect(row(page)).toBeFocused()
    if (filters.length > 1) {
      await page.reload()
      await expect(buttons).toHaveCount(filters.length - 1)
      await row(page).getByRole('button', { name: 'Clear all' }).click()
    }
    await expect(buttons).toHaveCount(0)
    await expect(row(page).getByRole('button', { name: 'Clear all' })).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`${rest.replace('?', '\\?')}$`))
    await expect(row(page)).toContainText(/^[\d,]+\+? \w+$/)
    // A first filter moves nothing.
    const without = await height()
    await page.goto(address)
    await expect(buttons.first()).toBeVisible()
    if (filters.length <= 3) expect(await height()).toBe(without)
  })

test('the total counts what the filters leave, and says where there are more than are counted', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('colours', { attributes: { metadata: { 'total-of': 'one' } } })
  await bank.change('check')
  await open('/activities?metadata=total-of%3Done')
  await expect(row(page)).toContainText('1 activity')
  await expect(page.locator(`a[href="/activities/${id}"]`)).toBeVisible()
  const counted: string[] = []
  await page.route(/\/api\/activities\?/, async route => {
    // An answer that has not changed has no body.
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const response = await route.fetch({ headers })
    const body = (await response.json()) as { links?: object; meta?: object }
    const isCount = route.request().url().includes('total=true')
    if (isCount) counted.push(route.request().url())
    const meta = { ...body.meta, ...(isCount && { total: 10_000, total_exact: false }) }
    const links = { ...body.links, next: '/api/activities?limit=1&page%5Bafter%5D=none' }
    await route.fulfill({ response, json: { ...body, meta, links } })
  })
  await page.route(/page%5Bafter%5D=none/, route => route.abort())
  await page.reload()
  await expect(row(page)).toContainText('10,000+ activities')
  expect(decodeURIComponent(counted[0] ?? '')).toMatch(/filter\[metadata\.total-of_eq\]=one&limit=1&total=true/)
})

test('metadata is completed by its names and their values, and filters as a chip', async ({ page, open, bank }) => {
  await bank.change('colours', { attributes: { metadata: { 'completed-by': 'CHG-77', team: { lead: 'ann' } } } })
  await open('/activities')
  await page.getByRole('button', { name: /^More filters/ }).click()
  const field = page.getByLabel('Metadata')
  const offered = () =>
    field.evaluate(input => [...((input as HTMLInputElement).list?.options ?? [])].map(({ value }) => value))
  await expect.poll(offered).toEqual(expect.arrayContaining(['completed-by=', 'team.lead=', 'completed-by=CHG-77']))
  await field.fill('team.lead=ann')
  await expect(remove(page, 'Metadata: team.lead=ann')).toBeVisible()
  await expect(row(page)).toContainText('1 activity')
  await remove(page, 'Metadata: team.lead=ann').click()
  await expect(field).toHaveValue('')
})

test('many filters are accessible, also on a phone', async ({ page, open, bank }) => {
  const long = `/projects/bank/environments/${'a-long-name-'.repeat(8)}`
  await open(`/activities?status=%5B%22error%22%2C%22success%22%5D&by=ann&mine=true&under=${encodeURIComponent(long)}`)
  await expectGoodEverywhere(page, () => expect(remove(page, `Node and below: ${long}`)).toBeVisible())
  await robots(bank)
  await open('/agents?archived=true', 'admin')
  await expectGoodEverywhere(page, () => expect(remove(page, 'Show archived')).toBeVisible())
})
