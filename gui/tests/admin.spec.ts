import { parts, settingsPath } from './admin-parts.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

interface Settings {
  readonly data: Readonly<Record<string, unknown>>
}

test('a person sees only the parts that may be read, and which right another one needs', async ({ page, open }) => {
  await open('/admin', 'carol')
  await expect(page.getByText('You need the right "read" on /admin.')).toBeVisible()
  await expect(parts(page)).toBeHidden()
  await open('/admin', 'otto')
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible()
  await expect(parts(page).getByRole('link')).toHaveText(['Jobs'])
  await page.goto('/admin/database')
  await expect(page.getByText('You need the right "read" on /admin/database.')).toBeVisible()
  await expectGoodEverywhere(page, () => expect(parts(page).getByRole('link', { name: 'Jobs' })).toBeVisible())
  await page.goto('/admin/nothing')
  await expect(page.getByText('Not found')).toBeVisible()
})

test('a failed job shows its error, and a part that cannot be loaded is tried again', async ({ page, open }) => {
  const attributes = {
    ...{ job_class: 'git.fetch_remote', queue: 'default', status: 'error', attempts: 25, maximum_attempts: 25 },
    ...{ last_error: 'The remote hung up unexpectedly', node_path: '/projects/bank', started_at: null },
    ...{ run_at: '2026-11-27T10:00:00Z', finished_at: '2026-11-27T10:00:01Z', created_at: '2026-11-27T09:00:00Z' },
  }
  const job = { id: '01a21d5a-6656-7feb-904e-000000000001', type: 'job', attributes }
  await page.route('**/api/admin/jobs?**', route => route.fulfill({ json: { data: [job], links: {} } }))
  await page.route(`**/api/admin/jobs/${job.id}`, route => route.fulfill({ json: { data: job } }))
  await open('/admin/jobs', 'admin')
  const row = page.getByRole('row').filter({ hasText: 'git.fetch_remote' })
  await expect(row).toContainText('The remote hung up unexpectedly')
  await row.getByRole('link', { name: 'git.fetch_remote' }).click()
  await expect(page.getByRole('dialog')).toContainText('25 of 25')
  await expectGoodEverywhere(page, () =>
    expect(page.getByRole('dialog').getByText('The remote hung up unexpectedly')).toBeVisible(),
  )
  let isBroken = true
  const fault = { status: '500', code: 'internal', title: 'Something went wrong', detail: 'It was recorded.' }
  await page.route('**/api/admin/database', route =>
    isBroken ? route.fulfill({ status: 500, json: { errors: [fault] } }) : route.fallback(),
  )
  await page.goto('/admin/database')
  await expect(page.getByRole('alert')).toContainText('It was recorded.')
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Oldest transaction' })).toBeVisible()
})

test('jobs are filtered by their status, and one opens with its details', async ({ page, open }) => {
  await open('/admin/jobs', 'admin')
  await page.getByRole('button', { name: /^success/ }).click()
  await expect(page).toHaveURL(/status=success/)
  await page.reload()
  const row = page.getByRole('table', { name: 'Background jobs' }).getByRole('link').first()
  await row.click()
  await expect(page.getByRole('dialog')).toContainText('1 of')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Attempts' }).focus()
  await expect(page.getByRole('button', { name: 'Attempts' })).toHaveAccessibleDescription(/After the last one/)
})

test('a retention rule is added, previewed before it is enabled, changed and deleted', async ({ page, open, bank }) => {
  await open('/admin/cleaning', 'admin')
  await expect(page.getByText('Nothing is deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Add a rule…' }).click()
  const form = page.getByRole('dialog', { name: 'Add a retention rule' })
  await form.getByLabel('Name').fill('Old tests')
  await form.getByLabel('Older than').fill('PT1H')
  await form.getByLabel('Filters').fill('{ "status_code_in": ["success"]')
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form.getByText('Write a JSON object, or leave it empty.')).toBeVisible()
  await form.getByLabel('Filters').fill('{ "status_code_in": ["success"] }')
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form.getByText(/P1D is never removed/)).toBeVisible()
  await expectGoodEverywhere(page, () => expect(form).toBeVisible())
  await form.getByLabel('Older than').fill('P30D')
  await form.getByRole('button', { name: 'Add' }).click()

  const preview = page.getByRole('dialog', { name: 'Preview of "Old tests"' })
  await expect(preview).toContainText('No changes and workflow runs would be deleted now.')
  await expect(preview).toContainText('{"status_code_in":["success"]}')
  const enabled = async () =>
    (await bank.as('admin').list<{ enabled: boolean }>('/api/data_cleanup_definitions'))[0]?.attributes.enabled
  expect(await enabled()).toBe(false)
  await expectGoodEverywhere(page, () => expect(preview).toBeVisible())
  await preview.getByRole('button', { name: 'Enable' }).click()
  const rule = page.getByRole('listitem').filter({ hasText: 'Old tests' })
  await expect(rule).toContainText('enabled')
  expect(await enabled()).toBe(true)
  await rule.getByRole('button', { name: 'Disable' }).click()
  await expect(rule).toContainText('disabled')

  await rule.getByRole('button', { name: 'Edit Old tests' }).click()
  await page.getByRole('dialog').getByLabel('Older than').fill('P1Y')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(rule).toContainText('older than P1Y')
  await rule.getByRole('button', { name: 'Delete Old tests' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the rule' }).click()
  await expect(page.getByText('Nothing is deleted')).toBeVisible()
})

test('the keys are rotated after a dialog says what that does', async ({ page, open, bank }) => {
  await open('/admin/keys', 'admin')
  await page.getByRole('button', { name: 'Rotate keys…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate the encryption keys?' })
  await dialog.getByLabel('Replace the root key as well').check()
  await dialog.getByRole('button', { name: 'Rotate keys' }).click()
  await expect(dialog.getByRole('alert')).toContainText('There is no next root key yet.')
  await dialog.getByLabel('Replace the root key as well').uncheck()
  await dialog.getByRole('button', { name: 'Rotate keys' }).click()
  const rotation = page.getByRole('listitem').filter({ hasText: 'Data key 2' })
  await expect(rotation).toContainText('complete')
  expect((await bank.as('admin').list<{ status: string }>('/api/admin/key_rotations'))[0]?.attributes.status).toBe(
    'success',
  )
  await expectGoodEverywhere(page, () => expect(rotation).toBeVisible())
})

test('the audit trail shows up to where it is sealed, and looks for events without a seal', async ({ page, open }) => {
  await open('/admin/audit-trail', 'admin')
  await expect(page.getByText(/^seal [1-9]/)).toBeVisible()
  await page.getByRole('button', { name: 'Look for them' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^none/ })).toBeVisible()
  await expectGoodEverywhere(page, () => expect(page.getByText('sluice audit verify', { exact: true })).toBeVisible())
})

test('a setting of the installation is changed', async ({ page, open, bank }) => {
  await open('/admin/settings', 'admin')
  await page.getByLabel('Filter settings…').fill('schedule_catch_up')
  await page.getByRole('button', { name: 'Set here… schedule_catch_up' }).click()
  await page.getByRole('spinbutton', { name: 'schedule_catch_up' }).fill('1800')
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const path = await settingsPath(bank)
  expect((await bank.as('admin').show<Settings>(path)).attributes.data['schedule_catch_up']).toBe(1800)
  await bank.as('admin').update(path, { data: { schedule_catch_up: null } })
})

test('settings of the installation are edited as text: completed, refused, compared and saved', async ({
  page,
  open,
  bank,
}) => {
  const path = await settingsPath(bank)
  await open('/admin/settings', 'admin')
  await page.getByRole('link', { name: 'YAML' }).click()
  await expect(page).toHaveURL(/view=text/)
  const editor = page.getByRole('textbox', { name: 'Settings' })
  await editor.click()
  await page.keyboard.press('Control+End')
  // The completion adds the colon of the key.
  await page.keyboard.type('schedule_ca')
  await page.getByRole('option', { name: /schedule_catch_up/ }).click()
  await page.keyboard.type('soon')
  await page.getByRole('button', { name: 'Review and save…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/schedule_catch_up should be/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await editor.click()
  await page.keyboard.press('Control+End')
  for (let i = 0; i < 'soon'.length; i += 1) await page.keyboard.press('Backspace')
  await page.keyboard.type('900')
  // The other view is not opened before it is said what happens to the text.
  await page.getByRole('link', { name: 'Form' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'JSON' }).click()
  await expect(editor).toContainText('"schedule_catch_up": 900')
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await expect(dialog.getByText('1 added')).toBeVisible()
  await dialog.getByRole('button', { name: /^Save as version/ }).click()
  await expect(dialog).toBeHidden()
  expect((await bank.as('admin').show<Settings>(path)).attributes.data['schedule_catch_up']).toBe(900)
  await expectGoodEverywhere(page, () => expect(editor).toBeVisible())
  await page.getByRole('link', { name: 'Form' }).click()
  await expect(page.getByRole('spinbutton', { name: 'schedule_catch_up' })).toHaveValue('900')
  await bank.as('admin').update(path, { data: { schedule_catch_up: null } })
})

test('the directory shows its connection, and only a superuser refreshes it', async ({ page, open, bank }) => {
  await open('/admin/directory', 'admin')
  await expect(page.getByText('No directory is configured')).toBeVisible()
  await expectGoodEverywhere(page, () => expect(page.getByText('No refresh yet.')).toBeVisible())
  const path = await settingsPath(bank)
  await bank.as('admin').update(path, { data: { 'ldap.host': 'localhost', 'ldap.port': 9, 'ldap.base_dn': 'dc=bank' } })
  try {
    await open('/admin/directory', 'otto')
    await expect(page.getByText('You need the right "read" on /system_configuration.')).toBeVisible()
    await open('/admin/directory', 'admin')
    await expect(page.getByText('dc=bank')).toBeVisible()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'failed' }).first()).toContainText('admin')
    await expectGoodEverywhere(page, () => expect(page.getByText('dc=bank')).toBeVisible())
  } finally {
    await bank.as('admin').update(path, { data: { 'ldap.host': null, 'ldap.port': null, 'ldap.base_dn': null } })
  }
})

test('at 360 px the value of a setting stands below its name', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open('/admin/settings', 'admin')
  const setting = page.getByRole('listitem').filter({ hasText: 'maintenance_mode' }).first()
  const name = await setting.locator('code').first().boundingBox()
  // A choice once it is set here, which other tests do; else the default as text.
  const value = await setting
    .getByRole('combobox')
    .or(setting.getByText('disabled', { exact: true }))
    .filter({ visible: true })
    .first()
    .boundingBox()
  expect(value!.y).toBeGreaterThanOrEqual(name!.y + name!.height)
})

for (const [part, text] of [
  ['jobs', 'success'],
  ['slots', 'Runners'],
  ['workers', 'works'],
  ['database', 'PostgreSQL'],
  ['load', /\d m?s$|Nobody used the database/],
  ['sites', 'Runners'],
  ['settings', 'maintenance_mode'],
] as const)
  test(`the part ${part} is accessible in both themes, narrow and wide`, async ({ page, open, bank }) => {
    await bank.reaches((await bank.change('check')).id, 'success')
    await open(`/admin/${part}`, 'admin')
    await expectGoodEverywhere(page, () => expect(page.locator('main').getByText(text).first()).toBeVisible())
  })
