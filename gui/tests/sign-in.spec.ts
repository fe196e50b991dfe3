import { expect, expectGoodEverywhere, passwordOf, signIn, test } from './fixtures.ts'

test('a wrong password is reported, the right one opens the page of the address', async ({ page }) => {
  await page.goto('/activities?status=%5B"error"%5D')
  await expect(page.getByRole('heading', { name: 'Sign in to Sluice' })).toBeVisible()
  await page.getByLabel('User name').fill('ann')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('The user name or the password is wrong.')
  await page.getByLabel('Password').fill(passwordOf('ann'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Activities' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'error', exact: true })).toHaveAttribute('aria-pressed', 'true')
})

test('a reload keeps the session, signing out ends it', async ({ page, bank }) => {
  await page.goto('/activities')
  await signIn(page, 'ann')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Activities' })).toBeVisible()
  await page.getByRole('button', { name: 'Account: ann' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Sluice' })).toBeVisible()
  const answer = await page.request.get(`${bank.address}/api/me`)
  expect(answer.status()).toBe(401)
})

test('nothing of the session is in reach of scripts or kept in storage', async ({ page, open }) => {
  await open('/activities')
  expect(
    await page.evaluate(() => [document.cookie, JSON.stringify(sessionStorage), Object.keys(localStorage)]),
  ).toEqual(['', '{}', []])
})

test('a session that ends under the page is renewed in a dialog, and the page stays', async ({
  page,
  open,
  context,
}) => {
  const preferences = page.waitForResponse('**/api/me/preferences')
  await open('/activities?path=front')
  await preferences
  await context.clearCookies()
  // A request of the page that was still on its way may have opened the dialog already, which covers the button.
  await page.getByRole('button', { name: 'Mine', includeHidden: true }).dispatchEvent('click')
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await dialog.getByLabel('Password').fill(passwordOf('ann'))
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Path contains…')).toHaveValue('front')
  await expect(page.getByRole('button', { name: 'Mine', exact: true })).toHaveAttribute('aria-pressed', 'true')
})

test('the end of a session is announced, and another one begins before it', async ({ page }) => {
  await page.clock.install()
  await page.goto('/activities?path=front')
  await signIn(page, 'ann')
  const end = page.getByText(/Your session ends at \d\d:\d\d:\d\d\./)
  await page.clock.fastForward('03:54:00')
  await expect(page.getByLabel('Path contains…')).toHaveValue('front')
  await expect(end).toBeHidden()
  await page.clock.fastForward('00:02:00')
  await expectGoodEverywhere(page, () => expect(end).toBeVisible())
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel('Password').fill(passwordOf('ann'))
  const again = page.waitForResponse('**/api/me')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  expect(Date.parse((await (await again).json()).data.meta.session_expires_at)).toBeGreaterThan(
    Date.now() + 230 * 60_000,
  )
})

test('the sign-in page is accessible in both themes, narrow and wide', async ({ page }) => {
  await page.goto('/')
  await expectGoodEverywhere(page, () => expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible())
})

test('the theme is chosen in the page and kept', async ({ page, bank }) => {
  await page.goto('/')
  await signIn(page, 'carol')
  await page.getByRole('button', { name: 'System theme' }).click()
  const saved = page.waitForResponse(answer => answer.request().postData()?.includes('"dark"') ?? false)
  await page.getByRole('button', { name: 'Light theme' }).click()
  await saved
  await page.reload()
  await expect(page.getByRole('button', { name: 'Dark theme' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  // It follows the user, also into other tests.
  await bank.as('carol').update('/api/me/preferences', { data: { theme: null } })
})
