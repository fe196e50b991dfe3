import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const viewsOf = (bank: TestBank, user: string) =>
  bank.as(user).list<{ name: string; query: string; shared_with: string }>('/api/saved_views')

const mayDelete = (meta: Record<string, unknown> | undefined): boolean =>
  (meta?.['can'] as string[] | undefined)?.includes('delete') === true

test.afterEach(async ({ bank }) => {
  for (const user of ['ann', 'bob'])
    for (const { id, meta } of await viewsOf(bank, user))
      if (mayDelete(meta)) await bank.as(user).remove(`/api/saved_views/${id}`)
})

test('a view keeps filters, sorting and columns, is shared, used by somebody else, changed and deleted', async ({
  page,
  open,
  bank,
  browser,
}) => {
  await bank.reaches((await bank.change('broken')).id, 'error')
  await open('/activities?status=%5B%22error%22%5D&sort=created_at&columns=status,action,error')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save the view' }).click()
  // The browser says that it is required.
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Failed')
  await dialog.getByLabel('Everyone can use it').check()
  await dialog.getByRole('button', { name: 'Save the view' }).click()
  await expect(page.getByRole('button', { name: 'View: Failed', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/saved=[0-9a-f-]{36}/)
  const link = page.url()

  const other = await (await browser.newContext({ baseURL: bank.address })).newPage()
  await open('/activities', 'bob', other)
  await other.getByRole('button', { name: 'Views' }).click()
  await other.getByRole('menuitem', { name: `Failed by ${bank.username('ann')}` }).click()
  await expect(other.getByRole('button', { name: 'error', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(other.getByRole('columnheader', { name: 'Error' })).toBeVisible()
  await expect(other).toHaveURL(/sort=created_at/)
  await other.getByRole('button', { name: 'View: Failed', exact: true }).click()
  await expect(other.getByRole('menuitem', { name: /^Delete…/ })).toContainText(
    `Only ${bank.username('ann')} may do this.`,
  )
  await other.context().close()

  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await expect(page.getByRole('button', { name: 'View: Failed changed' })).toBeVisible()
  await page.getByRole('button', { name: 'View: Failed changed' }).click()
  await page.getByRole('menuitem', { name: 'Discard the changes' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'View: Failed', exact: true })).toBeVisible()
  const [view] = await viewsOf(bank, 'ann')
  expect(view!.attributes.query).toContain('mine=true')

  await page.goto(link)
  await expect(page.getByRole('button', { name: 'View: Failed changed' })).toBeVisible()
  await page.getByRole('button', { name: 'View: Failed changed' }).click()
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  await dialog.getByLabel('Name').fill('Broken')
  await dialog.getByLabel('Everyone can use it').uncheck()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'View: Broken changed' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the view' }).click()
  await expect(page.getByRole('button', { name: 'Views', exact: true })).toBeVisible()
  await expect(page).not.toHaveURL(/saved=/)
  expect(await viewsOf(bank, 'ann')).toEqual([])
})

test('a name that is taken is refused at its field', async ({ page, open, bank }) => {
  await bank.as('ann').create('/api/saved_views', { name: 'Mine', list: 'templates', query: 'q=web' })
  await open('/templates?q=web')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mine')
  await dialog.getByRole('button', { name: 'Save the view' }).click()
  await expect(dialog.getByRole('alert')).toContainText('There is a view named "Mine"')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Mine' }).click()
  await expect(page.getByRole('button', { name: 'View: Mine', exact: true })).toBeVisible()
})

test('the audit history and schedules have views of their own', async ({ page, open, bank }) => {
  await bank.as('ann').create('/api/saved_views', { name: 'Approvals', list: 'events', query: 'type=approve' })
  await bank.as('ann').create('/api/saved_views', {
    name: 'Off',
    list: 'scheduled_activities',
    query: 'disabled=true&columns=what%2Cuser',
  })
  await open('/audit')
  await page.getByRole('button', { name: 'Views' }).click()
  await expect(page.getByRole('menuitem', { name: 'Off' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Approvals' }).click()
  await expect(page.getByLabel('Type contains')).toHaveValue('approve')
  await expect(page.getByRole('button', { name: 'View: Approvals', exact: true })).toBeVisible()
  await page.goto('/schedules')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Off' }).click()
  await expect(page.getByRole('button', { name: 'Disabled', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: 'View: Off', exact: true })).toBeVisible()
})

test('saved views are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('check')).id, 'success')
  const { id } = await bank
    .as('ann')
    .create('/api/saved_views', { name: 'Failed', list: 'activities', query: 'status=%5B%22error%22%5D' })
  await bank.as('bob').create('/api/saved_views', {
    name: 'What runs now',
    list: 'activities',
    query: 'active=true',
    shared_with: 'everyone',
  })
  await open(`/activities?saved=${id}`)
  await expectGoodEverywhere(page, () =>
    expect(page.getByRole('button', { name: 'View: Failed changed' })).toBeVisible(),
  )
  await page.getByRole('button', { name: 'View: Failed changed' }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog', { name: 'Save this view' })).toBeVisible())
})
