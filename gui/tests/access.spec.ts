import type { AuthorisationPolicy } from '#client/generated/api.ts'
import { expect, expectGoodEverywhere, passwordOf, type TestBank, test } from './fixtures.ts'

/** Creates a user, unless an earlier test has. */
async function makeUser(bank: TestBank, username: string): Promise<void> {
  const admin = bank.as('admin')
  if (!(await admin.find(`/api/users/${username}`)))
    await admin.create('/api/users', { username, password: passwordOf(username) })
}

test('a policy is created, gets a rule and is assigned, and the user then sees the project', async ({
  page,
  open,
  bank,
  browser,
}) => {
  await makeUser(bank, 'dora')
  const other = await (await browser.newContext({ baseURL: bank.address })).newPage()
  await open('/projects', 'dora', other)
  await expect(other.getByText('bank')).toHaveCount(0)

  await open('/access', 'admin')
  await page.getByRole('button', { name: 'New policy…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('readers of the bank')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'readers of the bank' })).toBeVisible()

  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByLabel('Path of the rule').fill('/projects/bnak/nonsense')
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await expect(page.getByRole('alert')).toContainText('matches nothing')
  await page.getByLabel('Path of the rule').fill('/projects/bank')
  await page.getByRole('group', { name: 'Update on /projects/bank' }).getByRole('radio', { name: 'Deny' }).check()
  await expect(page.getByText('1 change is not saved')).toBeVisible()
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await expect(page.getByText('Saved the rules')).toBeVisible()

  await page.getByLabel('User', { exact: true }).fill('nobody-of-that-name')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByText('There is no user nobody-of-that-name.')).toBeVisible()
  await page.getByLabel('User', { exact: true }).fill('dora')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Assigned to' }).getByText('dora')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Path of the rule')).toHaveValue('/projects/bank')

  await other.reload()
  await expect(other.getByRole('link', { name: /bank/i }).first()).toBeVisible()
  await other.context().close()

  await page.getByRole('button', { name: 'Remove the assignment to dora' }).click()
  await expect(page.getByText('Nobody: the rules take effect')).toBeVisible()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the policy' }).click()
  await expect(page).toHaveURL(/\/access$/)
  await expect(page.getByRole('table', { name: 'Policies' })).not.toContainText('readers of the bank')
})

test('the rights of a rule are moved through by arrow keys', async ({ page, open, bank }) => {
  const { id } = await bank.as('admin').create<AuthorisationPolicy>('/api/authorisation_policies', {
    name: 'by keyboard',
    authorisation_rules: [{ path: '/projects/bank', read: true }],
  })
  await open(`/access/policies/${id}`, 'admin')
  const read = page.getByRole('group', { name: 'Read on /projects/bank' })
  await read.getByRole('radio', { name: 'Allow' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(read.getByRole('radio', { name: 'Deny' })).toBeChecked()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(read.getByRole('radio', { name: 'Allow' })).toBeChecked()
})

test('a system policy says that it is read-only', async ({ page, open }) => {
  await open('/access', 'admin')
  await page.getByRole('link', { name: 'superuser' }).click()
  await expect(page.getByText('This policy belongs to the system')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a rule' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete…' })).toHaveCount(0)
})

test('a decision is explained, with the rules that did not decide', async ({ page, open, bank }) => {
  await makeUser(bank, 'emil')
  await bank.as('admin').create<AuthorisationPolicy>('/api/authorisation_policies', {
    name: 'operators of the tests',
    authorisation_rules: [
      { path: '/projects/bank', read: true, execute: false },
      { path: '/projects/bank/environments/test', execute: true },
    ],
    assignments: [{ username: 'emil' }],
  })
  await open('/access?view=check&user=emil', 'admin')
  await page.getByRole('button', { name: '/projects/bank/environments/test' }).click()
  await page.getByLabel('Right').selectOption('execute')
  const verdict = page.getByRole('status').filter({ hasText: 'Permitted' })
  await expect(verdict).toContainText('/projects/bank/environments/test, which allows it')
  await expect(page.getByText('Its path is shorter than that of the deciding rule.')).toBeVisible()
  await expect(page).toHaveURL(/right=execute/)
  await page.getByLabel('Path', { exact: true }).fill('/projects/bank/environments/live')
  await expect(page.getByRole('status').filter({ hasText: 'Not permitted' })).toBeVisible()
  await page
    .getByRole('textbox', { name: 'User' })
    .or(page.getByRole('combobox', { name: 'User' }))
    .fill('nobody-at-all')
  await expect(page.getByRole('alert').first()).toBeVisible()
})

test('a user is created, disabled, enabled and deleted', async ({ page, open, bank }) => {
  await open('/access?view=users', 'admin')
  await page.getByRole('button', { name: 'New user…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('fritz')
  await dialog.getByLabel('Password').fill('short')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toContainText('12')
  await dialog.getByLabel('Password').fill(passwordOf('fritz'))
  await dialog.getByLabel('Display name').fill('Fritz Example')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'fritz' }).click()
  await page.getByRole('button', { name: 'Disable…' }).click()
  await page.getByRole('button', { name: 'Disable the user' }).click()
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible()
  await expect(bank.as('fritz').show('/api/me')).rejects.toThrow()
  await page.getByRole('button', { name: 'Enable' }).click()
  await expect(page.getByRole('button', { name: 'Disable…' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByLabel('Type fritz to delete').fill('fritz')
  await page.getByRole('button', { name: 'Delete the user' }).click()
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'fritz' })).toHaveCount(0)
})

test('a person without rights sees the own rights, and why the rest is not possible', async ({ page, open }) => {
  await open('/access', 'carol')
  await expect(page.getByText('No policies')).toBeVisible()
  await page.getByRole('link', { name: 'What a user may do' }).click()
  await expect(page.getByText('No rules: nothing is permitted.')).toBeVisible()
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('link', { name: 'carol' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New user…' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'New user…' })).toHaveAccessibleDescription(
    'Only superusers may do this.',
  )
})

test('the pages of access control are accessible', async ({ page, open, bank }) => {
  await makeUser(bank, 'gerd')
  const { id } = await bank.as('admin').create<AuthorisationPolicy>('/api/authorisation_policies', {
    name: 'accessible',
    authorisation_rules: [{ path: '/projects/bank', read: true }],
    assignments: [{ username: 'gerd' }],
  })
  await open('/access', 'admin')
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Policies' })).toBeVisible())
  await page.goto(`/access/policies/${id}`)
  await expectGoodEverywhere(page, () => expect(page.getByLabel('Path of the rule')).toBeVisible())
  await page.goto('/access?view=check&user=gerd&path=%2Fprojects%2Fbank')
  await expectGoodEverywhere(page, () => expect(page.getByText('Decided by')).toBeVisible())
  await page.goto('/access?view=users')
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Users' })).toBeVisible())
  await page.goto('/access?view=groups')
  await expectGoodEverywhere(page, () => expect(page.getByText('No groups')).toBeVisible())
  await page.goto('/access/users/gerd')
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: 'accessible' })).toBeVisible())
})

test('rules that somebody else saved meanwhile are not overwritten, and both are shown', async ({
  page,
  open,
  bank,
}) => {
  const admin = bank.as('admin')
  const { id } = await admin.create<AuthorisationPolicy>('/api/authorisation_policies', { name: 'two editors' })
  const putRules = (...paths: string[]) =>
    admin.put(`/api/authorisation_policies/${id}/rules`, {
      authorisation_rules: paths.map(path => ({ path, read: true })),
    })
  const fields = page.getByLabel('Path of the rule')
  await putRules('/projects/bank')
  await open(`/access/policies/${id}`, 'admin')
  await expect(fields).toHaveValue('/projects/bank')
  await fields.fill('/projects/bank/environments/test')
  await putRules('/projects/bank/environments/live')

  await page.getByRole('button', { name: 'Save the rules' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this meanwhile' })
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: 'Compare…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rules changed meanwhile' })
  await expect(dialog).toContainText('/projects/bank/environments/live: read=allow')
  await expect(dialog).toContainText('/projects/bank/environments/test: read=allow')
  await dialog.getByRole('button', { name: 'Back to the rules' }).click()
  await expect(fields).toHaveValue('/projects/bank/environments/test')

  await notice.getByRole('button', { name: 'Discard mine' }).click()
  await expect(fields).toHaveValue('/projects/bank/environments/live')
  await expect(notice).toBeHidden()

  await fields.fill('/projects/bank/environments/test')
  await putRules('/projects/bank')
  await page.getByRole('button', { name: 'Save the rules' }).click()
  await notice.getByRole('button', { name: 'Compare…' }).click()
  await dialog.getByRole('button', { name: 'Save mine instead' }).click()
  await expect(page.getByText('Saved the rules')).toBeVisible()
  await page.reload()
  await expect(fields).toHaveValue('/projects/bank/environments/test')
  await admin.remove(`/api/authorisation_policies/${id}`)
})

test('a name that somebody else saved meanwhile is shown beside the own one', async ({ page, open, bank }) => {
  const admin = bank.as('admin')
  const path = `/api/authorisation_policies/${
    (await admin.create<AuthorisationPolicy>('/api/authorisation_policies', { name: 'first name' })).id
  }`
  await open(path.replace('/api/authorisation_policies', '/access/policies'), 'admin')
  await page.getByRole('button', { name: 'Rename…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toHaveValue('first name')
  await dialog.getByLabel('Name').fill('my name')
  await admin.update(path, { name: 'their name', description: 'theirs' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('their name')
  await expect(dialog.getByLabel('Name')).toHaveValue('my name')
  await expect(dialog.getByLabel('Description')).toHaveValue('theirs')
  await expectGoodEverywhere(page, () => expect(dialog.getByRole('alert')).toBeVisible())
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'my name' })).toBeVisible()
  expect((await admin.show<AuthorisationPolicy>(path)).attributes.description).toBe('theirs')
  await admin.remove(path)
})
