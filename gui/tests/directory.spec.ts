import { groupDn, personDn, startTestDirectory } from '../../tests/support/directory-server.ts'
import { settingsPath } from './admin-parts.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test('a directory is read from the administration: its people and groups appear, and a failure says why', async ({
  page,
  open,
  bank,
}) => {
  const directory = await startTestDirectory()
  const admin = bank.as('admin')
  const path = await settingsPath(bank)
  const settings = directory.settings('none')
  try {
    await directory.addPerson('dora')
    await directory.addGroup('night-shift', [personDn('dora')])
    await admin.update(path, { data: settings })
    await open('/admin/directory', 'admin')
    await expect(page.getByText('dc=example', { exact: true })).toBeVisible()
    await expect(page.getByText('the word of the reader')).toBeHidden()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    const ended = page.getByRole('listitem').filter({ hasText: 'ended' })
    await expect(ended.first()).toContainText('1 user, 1 group')
    await expectGoodEverywhere(page, () => expect(ended.first()).toBeVisible())
    await page.goto('/access?view=groups')
    await expect(page.getByText('night-shift')).toBeVisible()

    await directory.remove(groupDn('night-shift'))
    await page.goto('/admin/directory')
    await page.getByRole('button', { name: 'Refresh now' }).click()
    const warned = page.getByRole('listitem').filter({ hasText: 'ended with a warning' })
    await expect(warned.first()).toContainText('1 user, 0 groups')
    await expect(warned.first()).toContainText('what is cached stays')

    await directory.stop()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'failed' }).first()).toContainText(/localhost|connect/i)
  } finally {
    await admin.update(path, { data: Object.fromEntries(Object.keys(settings).map(name => [name, null])) })
    await directory.tidy()
  }
})
