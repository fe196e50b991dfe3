import { dataOf, editorOf, environment, write } from './configured.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('a value is encrypted into the text, and its clear text goes nowhere else', async ({ page, open, bank }) => {
  const { path, properties } = await environment(bank, 'encrypt', { database: { user: 'app', hosts: ['a'] } })
  const sent: string[] = []
  page.on('request', each => {
    if (`${each.url()} ${each.postData() ?? ''}`.includes('correct-horse')) sent.push(new URL(each.url()).pathname)
  })
  await open(`${path}?tab=properties&view=own`)
  await write(page, 'database:\n  user: admin\n  hosts: [a]\n')
  await page.getByRole('button', { name: 'Encrypt a value…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Property').fill('database.user.name')
  await expect(dialog.getByLabel('Name of the secret')).toHaveValue('database/user/name')
  await dialog.getByLabel('Value', { exact: true }).fill('correct-horse')
  await dialog.getByRole('button', { name: 'Encrypt and insert' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The text has no such place')
  expect(sent).toEqual([])
  await dialog.getByLabel('Property').fill('database.password')
  await expect(dialog.getByLabel('Name of the secret')).toHaveAccessibleDescription(
    new RegExp(`secret:/${path}/database/password`),
  )
  await dialog.getByLabel('Value', { exact: true }).fill('abc')
  await dialog.getByRole('button', { name: 'Encrypt and insert' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Value', { exact: true }).fill('correct-horse')
  await dialog.getByRole('button', { name: 'Encrypt and insert' }).click()
  await expect(dialog).toBeHidden()
  // What was typed before stays.
  await expect(editorOf(page)).toContainText('user: admin')
  await expect(editorOf(page)).toContainText(`password: secret:/${path}/database/password`)
  expect(sent).toEqual(['/api/secrets/encrypt'])
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByText(`Version 3 by ${bank.username('ann')}`)).toBeVisible()
  const data = { database: { user: 'admin', hosts: ['a'], password: `secret:/${path}/database/password` } }
  expect((await dataOf(bank.as('ann'), properties)).data).toEqual(data)
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]))).not.toContain(
    'horse',
  )
  const { attributes } = await bank.as('ann').create<{ value: string }>('/api/secrets/resolve', {
    ...{ node_path: path, reference: data.database.password },
  })
  expect(attributes.value).toBe('correct-horse')
})

test('an effective value leads to the dialog that encrypts it, for those who may store secrets', async ({
  page,
  open,
  bank,
}) => {
  const { path } = await environment(bank, 'encrypt-one', { database: { password: 'in clear text' } })
  await open(`${path}?tab=properties&pointer=%2Fdatabase%2Fpassword`)
  await page.getByRole('link', { name: 'Set an encrypted value on this node…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Encrypt a value' })
  await expect(dialog.getByLabel('Property')).toHaveValue('database.password')
  await dialog.getByLabel('Several lines').check()
  await expectGoodEverywhere(page, () => expect(dialog.getByLabel('Value', { exact: true })).toBeVisible())
  await dialog.getByLabel('Value', { exact: true }).fill('first\nsecond\n')
  await dialog.getByRole('button', { name: 'Encrypt and insert' }).click()
  await expect(editorOf(page)).toContainText(`password: secret:/${path}/database/password`)
  await page.getByRole('button', { name: 'Discard the changes' }).click()
  await open(`${path}?tab=properties&pointer=%2Fdatabase%2Fpassword`, 'bob')
  await expect(page.getByRole('heading', { name: 'Origin of database.password' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Set an encrypted value on this node…' })).toBeHidden()
})
