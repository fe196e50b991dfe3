import type { Page } from '@playwright/test'
import type { GitRemote } from '#client/generated/api.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const tabOf = (bank: TestBank) => `${bank.path}?tab=remotes`
const listOf = (bank: TestBank) => `/api${bank.path}/git_remotes`
const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const dialogOf = (page: Page) => page.getByRole('dialog')

/** Opens the dialog for a Git remote by its menu. */
async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for Git remote ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a Git remote is created, its failed fetch is explained, and its address is corrected', async ({
  page,
  open,
  bank,
}) => {
  const [code] = await bank.as('ann').list<GitRemote>(listOf(bank))
  await open(`${bank.path}`)
  await page.getByRole('link', { name: 'Git remotes', exact: true }).click()
  await expect(rowOf(page, 'code')).toContainText('Fetched')
  await page.getByRole('button', { name: 'New Git remote…' }).click()
  await dialogOf(page).getByLabel('Name', { exact: true }).fill('tools')
  await dialogOf(page).getByLabel('URL of the repository').fill('/no/url')
  await dialogOf(page).getByRole('button', { name: 'Create' }).click()
  await expect(dialogOf(page).getByLabel('URL of the repository')).toHaveAttribute('aria-invalid', 'true')
  await dialogOf(page).getByLabel('URL of the repository').fill('file:///no/such/repository')
  await dialogOf(page).getByRole('button', { name: 'Create' }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(rowOf(page, 'tools')).toContainText('Fetch failed', { timeout: 15_000 })
  await expect(rowOf(page, 'tools').locator('pre')).toContainText('/no/such/repository')

  // Another repository is for superusers: the field says so.
  await choose(page, 'tools', 'Edit…')
  await dialogOf(page).getByLabel('URL of the repository').fill(code!.attributes.url)
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page).getByRole('alert')).toContainText('Only a superuser can move a remote')
  await open(tabOf(bank), 'admin')
  await choose(page, 'tools', 'Edit…')
  await dialogOf(page).getByLabel('URL of the repository').fill(code!.attributes.url)
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(rowOf(page, 'tools')).toContainText('Fetched', { timeout: 15_000 })
  await expect(rowOf(page, 'tools').locator('pre')).toHaveCount(0)

  await choose(page, 'tools', 'Archive')
  await expect(rowOf(page, 'tools')).toContainText('No longer fetched')
  await choose(page, 'tools', 'Delete…')
  await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
  await expect(rowOf(page, 'tools')).toBeHidden()
})

test('stored credentials are never shown: they are kept, replaced or removed', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  const attributes = {
    name: 'guarded',
    url: 'http://127.0.0.1:1/team/shop.git',
    user: 'deploy',
    password: 'hush-hush',
  }
  const { id } = await ann.create(listOf(bank), attributes)
  const path = `${listOf(bank)}/${id}`
  const now = async () => (await ann.show<GitRemote>(path)).attributes
  const sent: string[] = []
  page.on('request', each => {
    if (each.method() === 'PATCH') sent.push(each.postData() ?? '')
  })
  await open(tabOf(bank))
  await expect(rowOf(page, 'guarded')).toContainText(/Credentials\s*password/)
  await choose(page, 'guarded', 'Edit…')
  const password = dialogOf(page).getByLabel('Password or token')
  await expect(password).toHaveValue('')
  await expect(password).toHaveAccessibleDescription(/never shown. Leave this empty to keep it/)
  await dialogOf(page).getByLabel('User name').fill('robot')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page)).toBeHidden()
  expect(sent.join()).not.toContain('password')
  expect(await now()).toMatchObject({ user: 'robot', password: '{{hidden}}' })

  // A colleague saves the user name meanwhile: both are shown, and of the password only that it was typed.
  await choose(page, 'guarded', 'Edit…')
  await expect(dialogOf(page).getByLabel('User name')).toHaveValue('robot')
  await password.fill('another word')
  await dialogOf(page).getByLabel('User name').fill('mine')
  await ann.update(path, { user: 'theirs' })
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page).getByRole('alert')).toContainText('theirs')
  await expect(dialogOf(page).getByRole('alert')).not.toContainText('Password')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page)).toBeHidden()
  expect(sent.at(-1)).toContain('another word')
  expect(await now()).toMatchObject({ user: 'mine', password: '{{hidden}}' })

  await choose(page, 'guarded', 'Edit…')
  await dialogOf(page).getByLabel('Remove the password').check()
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page)).toBeHidden()
  expect(await now()).toMatchObject({ user: 'mine', password: null })
  await expect(rowOf(page, 'guarded')).toContainText(/Credentials\s*none/)
  await ann.remove(path)
})

test('templates lead to their Git remote and back, and one in use cannot be deleted', async ({ page, open, bank }) => {
  await open(`/templates/${bank.code}/web`)
  await page.getByRole('link', { name: 'code', exact: true }).click()
  await expect(rowOf(page, 'code')).toHaveAttribute('aria-current', 'true')
  await choose(page, 'code', 'Delete…')
  await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialogOf(page).getByRole('alert')).toContainText('is in use')
  await dialogOf(page)
    .getByRole('link', { name: `${bank.code} / web` })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Web server', level: 1 })).toBeVisible()
  await page.goto(`${tabOf(bank)}&remote=elsewhere`)
  await expect(page.getByText('There is no Git remote "elsewhere" here')).toBeVisible()
})

test('who may only read Git remotes sees why nothing can be changed', async ({ page, open, bank }) => {
  await open(tabOf(bank), 'bob')
  await expect(page.getByRole('button', { name: 'New Git remote…' })).toHaveAccessibleDescription(
    'You need the right "update" on the Git remotes of this project.',
  )
  await page.getByRole('button', { name: 'Actions for Git remote code' }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit…' })).toContainText('You need the right "update"')
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toContainText('You need the right "delete"')
})

test('Git remotes and their dialog are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  const key = { name: 'lost', url: 'http://127.0.0.1:1/team/shop.git', periodic_fetch_interval: 600 }
  const { id } = await ann.create(listOf(bank), key)
  await open(tabOf(bank))
  await expectGoodEverywhere(page, () => expect(rowOf(page, 'lost')).toContainText('Fetch failed', { timeout: 15_000 }))
  await choose(page, 'lost', 'Edit…')
  await dialogOf(page).getByLabel('URL of the repository').fill('git@127.0.0.1:team/shop.git')
  await expectGoodEverywhere(page, () => expect(dialogOf(page).getByLabel('Private SSH key')).toBeVisible())
  await ann.remove(`${listOf(bank)}/${id}`)
})
