import { connect } from '#client/sluice.ts'
import { expect, expectGoodEverywhere, passwordOf, signIn, test } from './fixtures.ts'

test.use({ ownProject: true })

test('a token is shown once, works for a program, and no more once it is deleted', async ({ page, open, bank }) => {
  await open('/me')
  await page.getByRole('button', { name: 'New token…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create the token' }).click()
  // The browser says that it is required.
  await expect(dialog.getByLabel('Description')).toBeFocused()
  await dialog.getByLabel('Description').fill('pipeline 7')
  await dialog.getByRole('button', { name: 'Create the token' }).click()
  const token = await page.getByRole('dialog', { name: 'Copy the token now' }).getByLabel('Token').inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('list', { name: 'API tokens' })).toContainText('pipeline 7')
  expect(await page.content()).not.toContain(token)

  const program = connect(bank.address, { token })
  const me = await program.show<{ username: string }>('/api/me')
  expect(me.attributes.username).toBe(bank.username('ann'))
  await page.getByRole('button', { name: 'Delete the token “pipeline 7”' }).click()
  await page.getByRole('button', { name: 'Delete the token', exact: true }).click()
  await expect(page.getByText('You have no tokens.')).toBeVisible()
  await expect(program.show('/api/me')).rejects.toThrow()
})

test('the password is changed with the current one', async ({ page, bank }) => {
  await bank.as('admin').create('/api/users', { username: 'hanna', password: passwordOf('hanna') })
  await page.goto('/me')
  await signIn(page, 'hanna')
  await page.getByLabel('Current password').fill('not the current one')
  await page.getByLabel('New password', { exact: true }).fill('a password that is new')
  await page.getByLabel('New password again').fill('another one that is new')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('The two new passwords differ.')).toBeVisible()
  await page.getByLabel('New password again').fill('a password that is new')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByRole('alert')).toContainText('not the current password')
  await page.getByLabel('Current password').fill(passwordOf('hanna'))
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('The password is changed')).toBeVisible()
  const hanna = connect(bank.address, { user: 'hanna', password: 'a password that is new' })
  expect((await hanna.show<{ username: string }>('/api/me')).attributes.username).toBe('hanna')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
})

test('profile and preferences follow the person to another browser', async ({ page, open, bank, browser }) => {
  await open('/me', 'bob')
  await page.getByLabel('Display name').fill('Bob Example')
  await page.getByRole('button', { name: 'Save the profile' }).click()
  await expect(page.getByRole('button', { name: `Account: ${bank.username('bob')}` })).toContainText('Bob Example')
  await page.getByLabel('Display name').fill('Bob Example the second')
  await page.getByRole('button', { name: 'Save the profile' }).click()
  await expect(page.getByRole('button', { name: `Account: ${bank.username('bob')}` })).toContainText('the second')
  await page.getByLabel('Theme', { exact: true }).selectOption('dark')
  await page.getByLabel(/Shortcuts of single letters/).uncheck()
  await expect
    .poll(async () => (await bank.as('bob').show<{ data: object }>('/api/me/preferences')).attributes.data)
    .toEqual({ theme: 'dark', letter_shortcuts: false })

  const other = await (await browser.newContext({ baseURL: bank.address })).newPage()
  await open('/me', 'bob', other)
  await expect(other.getByLabel('Theme', { exact: true })).toHaveValue('dark')
  expect(await other.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await other.context().close()
  await bank.as('bob').update('/api/me/preferences', { data: { theme: null, letter_shortcuts: null } })
  await bank.as('bob').update(`/api/users/${bank.username('bob')}`, { display_name: null })
})

test('pages that a person may not use are left out of the navigation, and their address names the right', async ({
  page,
  open,
}) => {
  await open('/admin', 'carol')
  await expect(page.getByText('You need the right "read" on /admin')).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(navigation.getByRole('link', { name: 'Audit history' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Administration' })).toHaveCount(0)
})

test('people with the right see the entry', async ({ page, open }) => {
  await open('/me', 'admin')
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(navigation.getByRole('link', { name: 'Administration' })).toBeVisible()
})

test('the account page is accessible', async ({ page, open }) => {
  await open('/me')
  await expectGoodEverywhere(page, () => expect(page.getByText('You have no tokens.')).toBeVisible())
})

test('the sessions of one’s browsers are listed and ended; their pages ask to sign in again', async ({
  page,
  bank,
  browser,
}) => {
  await bank.as('admin').create('/api/users', { username: 'greta', password: passwordOf('greta') })
  const signedIn = async (userAgent: string) => {
    const other = await (await browser.newContext({ baseURL: bank.address, userAgent })).newPage()
    await other.goto('/activities')
    await signIn(other, 'greta')
    return other
  }
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const other = await signedIn(windows)
  const program = await signedIn(`deployment-dashboard/7 ${'x'.repeat(200)}`)
  await page.goto('/me')
  await signIn(page, 'greta')
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(3)
  await expect(sessions.first()).toContainText('Chrome on Linux')
  await expect(sessions.first()).toContainText(/127\.0\.0\.1 · began .+ · ends in \d hours/)
  await expect(sessions.filter({ hasText: 'this session' })).toHaveCount(1)
  await expectGoodEverywhere(page, () => expect(sessions.first()).toContainText('this session'))

  await page.getByRole('button', { name: 'End the session: Firefox on Windows' }).click()
  const dialog = page.getByRole('dialog')
  await expectGoodEverywhere(page, () => expect(dialog).toContainText('“Firefox on Windows”'))
  await dialog.getByRole('button', { name: 'End the session' }).click()
  await expect(sessions).toHaveCount(2)
  await other.getByRole('button', { name: 'Mine', includeHidden: true }).dispatchEvent('click')
  await expect(other.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()

  await page.getByRole('button', { name: 'End all others…' }).click()
  await dialog.getByRole('button', { name: 'End the other sessions' }).click()
  await expect(sessions).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'End all others…' })).toHaveCount(0)
  await program.getByRole('button', { name: 'Mine', includeHidden: true }).dispatchEvent('click')
  await expect(program.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()

  await page.getByRole('button', { name: 'End the session: Chrome on Linux' }).click()
  await expect(dialog).toContainText('you are signed out')
  await dialog.getByRole('button', { name: 'End the session' }).click()
  await expect(page.getByLabel('User name')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('User name')).toBeVisible()
  await other.context().close()
  await program.context().close()
})
