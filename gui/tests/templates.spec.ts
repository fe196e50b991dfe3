import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('a version is created, fetched, and assigned to assets', async ({ page, open, bank }) => {
  await open('/templates?q=nothing-like-this')
  await expect(page.getByText('No template matches')).toBeVisible()
  await page.getByLabel('Name or code contains…').fill('EB')
  await page.getByRole('link', { name: 'Web server' }).click()
  await page.getByRole('button', { name: 'New version…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Version', { exact: true }).fill('2.0')
  await dialog.getByLabel('Revision').fill('main')
  await dialog.getByRole('button', { name: 'Create and fetch' }).click()
  const row = page.getByRole('listitem').filter({ has: page.getByText('2.0', { exact: true }) })
  await expect(row).toContainText('ready')
  await row.getByRole('link', { name: '2.0' }).click()
  await expect(page.getByRole('heading', { name: '2.0', level: 1 })).toBeVisible()
  await expect(page.getByText('Log of the last fetch').first()).toBeVisible()
  await page.getByRole('link', { name: 'Template version fetch completed' }).click()
  await expect(page.getByRole('dialog')).toContainText('success')
  await page.keyboard.press('Escape')
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Events' })).toBeVisible())
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('link', { name: 'Web server' }).click()
  await row.getByRole('button', { name: 'Actions for version 2.0' }).click()
  await page.getByRole('menuitem', { name: 'Assign to assets…' }).click()
  await page.getByRole('checkbox', { name: `${bank.code} / live / back` }).check()
  await page.getByRole('button', { name: 'Assign to 1 asset' }).click()
  await expect(page.getByText('1 asset has version 2.0 now')).toBeVisible()
  const asset = await bank
    .as('ann')
    .show<{ template_version: string }>(`/api${bank.path}/environments/live/assets/back`)
  expect(asset.attributes.template_version).toBe('2.0')
  await page.getByRole('link', { name: 'Assets', exact: true }).click()
  await expect(
    page.getByRole('row').filter({ has: page.locator(`a[href="${bank.path}/environments/live/assets/back"]`) }),
  ).toContainText('2.0')
})

test('a revision that does not exist makes a broken version that says why', async ({ page, open, bank }) => {
  await open(`/templates/${bank.code}/web`)
  await page.getByRole('button', { name: 'New version…' }).click()
  await page.getByRole('dialog').getByLabel('Version', { exact: true }).fill('nowhere')
  await page.getByRole('dialog').getByLabel('Revision').fill('no-such-branch')
  await page.getByRole('button', { name: 'Create and fetch' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'no-such-branch' })
  await expect(row).toContainText('broken')
  await expect(row.locator('pre')).toContainText('no-such-branch')
  await expect(row.getByRole('link', { name: 'code' })).toHaveAttribute('href', /tab=remotes/)
  await row.getByRole('button', { name: 'Actions for version nowhere' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
})

test('a template is created with its Git remote, and errors stand at their fields', async ({ page, open }) => {
  await open('/templates')
  await page.getByRole('button', { name: 'New template…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Database')
  await dialog.getByLabel('Code').fill('not a code')
  await dialog.getByLabel('Git remote').selectOption('code')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Code').fill('database')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Database', level: 1 })).toBeVisible()
  await expect(page.getByText('No versions yet')).toBeVisible()
})

test('a template is changed, meets the change of a colleague, is disabled and deleted', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const path = `/api${bank.path}/templates/queue`
  await ann.create(`/api${bank.path}/templates`, {
    ...{ code: 'queue', name: 'Queue', template_type: 'asset', git_remote_name: 'code' },
  })
  await open(`/templates/${bank.code}/queue`)
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'More actions for this template' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const dialog = page.getByRole('dialog')
  await choose('Edit…')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Queue')
  await dialog.getByLabel('Name', { exact: true }).fill('Message queue')
  await ann.update(path, { name: 'Queue of theirs', description: 'Carries messages' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Queue of theirs')
  await expect(dialog.getByLabel('Description')).toHaveValue('Carries messages')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Message queue', level: 1 })).toBeVisible()
  await expect(page.getByText('Carries messages')).toBeVisible()
  await choose('Disable')
  await expect(page.getByText('disabled', { exact: true })).toBeVisible()
  await choose('Enable')
  await expect(page.getByText('disabled', { exact: true })).toBeHidden()
  await choose('Delete…')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Templates', level: 1 })).toBeVisible()
  await expect(ann.show(path)).rejects.toThrow()
})

test('what a template is used by keeps it from being deleted and from another Git remote', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const other = await ann.create(`/api${bank.path}/git_remotes`, { name: 'other', url: 'file:///no/such/repository' })
  await open(`/templates/${bank.code}/web`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'More actions for this template' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByRole('alert')).toContainText('is in use; archive it instead')
  await expect(dialog.getByRole('link', { name: /live \/ front/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'More actions for this template' }).click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  await dialog.getByLabel('Git remote').selectOption('other')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('cannot change while a version of it is in use')
  await expect(dialog.getByRole('link', { name: /live \/ front/ })).toBeVisible()
  await ann.remove(`/api${bank.path}/git_remotes/${other.id}`)
})

test('who may only read sees why nothing can be changed', async ({ page, open, bank }) => {
  await open(`/templates/${bank.code}/web`, 'bob')
  const button = page.getByRole('button', { name: 'New version…' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription('You may not change this template.')
  await page.getByRole('button', { name: 'More actions for this template' }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit…' })).toContainText('You may not change this template.')
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toContainText('You may not delete this template.')
})

test('templates and their versions are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  await open('/templates')
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: 'Web server' })).toBeVisible())
  await page.goto(`/templates/${bank.code}/web`)
  await expectGoodEverywhere(page, () => expect(page.getByText('ready').first()).toBeVisible())
})
