import type { Page } from '@playwright/test'
import { expect, expectGoodEverywhere, passwordOf, test } from './fixtures.ts'

test.use({ ownProject: true })

const people = (page: Page) => page.getByRole('table', { name: 'Rights of people' })
const rowOf = (page: Page, name: string) =>
  people(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

test('a node tells who may do what on it, by which rules, and leads to the explanation', async ({
  page,
  open,
  bank,
}) => {
  const [ann, bob] = ['ann', 'bob'].map(bank.username)
  const { id } = await bank.as('admin').create('/api/authorisation_policies', {
    name: `denials of ${bank.code}`,
    authorisation_rules: [{ path: `${bank.path}/environments/live`, update: false }],
    assignments: [{ username: ann }, { groupname: `deployers of ${bank.code}` }],
  })
  await open(bank.path)
  await page.getByRole('link', { name: 'Access', exact: true }).click()
  const permitted = (name: string) => rowOf(page, name).getByRole('img', { name: 'permitted', exact: true })
  await expect(permitted(ann!)).toHaveCount(4)
  await expect(permitted(bob!)).toHaveCount(1)
  await expect(rowOf(page, 'admin')).toContainText('superuser')
  await page.goto(`${bank.path}/environments/live?tab=access`)
  await expect(permitted(ann!)).toHaveCount(3)
  const rules = page.getByRole('table', { name: 'Rules that cover this node' })
  const denial = rules.getByRole('row').filter({ hasText: `${bank.path}/environments/live` })
  await expect(denial.getByRole('img', { name: 'denies' })).toHaveCount(1)
  await expect(denial.getByRole('link', { name: `denials of ${bank.code}` })).toBeVisible()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `group deployers of ${bank.code}` })
      .getByRole('link'),
  ).toHaveText(`denials of ${bank.code}`)
  await expectGoodEverywhere(page, () => expect(rowOf(page, ann!)).toBeVisible())
  await rowOf(page, ann!).getByRole('link', { name: ann!, exact: true }).click()
  await expect(page.getByText('Decided by')).toBeVisible()
  await bank.as('admin').remove(`/api/authorisation_policies/${id}`)
})

test('who may not read the policies of a node is told which right is missing', async ({ page, open, bank }) => {
  const admin = bank.as('admin')
  const username = `guest-of-${bank.code}`
  await admin.create('/api/users', { username, password: passwordOf(username) })
  await admin.create('/api/authorisation_policies', {
    name: `guests of ${bank.code}`,
    authorisation_rules: [
      { path: bank.path, read: true },
      { path: `${bank.path}/authorisation_policies`, read: false },
    ],
    assignments: [{ username }],
  })
  await open(`${bank.path}?tab=access`, username)
  await expect(page.getByText(`You need the right "read" on ${bank.path}/authorisation_policies.`)).toBeVisible()
})

test('all rules are a tree of paths, which leads to nodes and policies', async ({ page, open, bank }) => {
  const ann = bank.username('ann')
  await open('/access', 'admin')
  await page.getByRole('link', { name: 'Rules by path' }).click()
  const tree = page.getByRole('table', { name: 'Rules by path' })
  await expect(tree.getByRole('rowheader', { name: bank.code, exact: false }).first()).toBeVisible()
  await page.getByLabel('Path contains…').fill(bank.path)
  await expect(page).toHaveURL(/find=/)
  await expect(tree.getByRole('link', { name: `what ${ann} may do` })).toBeVisible()
  await expectGoodEverywhere(page, () => expect(tree.getByRole('link').first()).toBeVisible())
  await tree.locator(`a[href^="${bank.path}?"]`).first().click()
  await expect(rowOf(page, ann)).toBeVisible()
})
