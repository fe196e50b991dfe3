import { dataOf, environment, row } from './configured.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('settings that two people change at once are listed, and both are kept', async ({ page, open, bank }) => {
  const { path, settings } = await environment(bank, 'settings-conflict')
  await open(`${path}?tab=settings&view=own`)
  await page.getByRole('button', { name: 'Set here… runner.idle_timeout' }).click()
  await page.getByRole('spinbutton', { name: 'runner.idle_timeout' }).fill('60')
  await bank.as('admin').update(settings, { data: { step_timeout_seconds: 70 } })
  await expect(page.getByRole('alert')).toContainText('Version 2 was saved by admin while you were editing.')
  const listed = (name: string) => page.getByRole('list', { name }).getByRole('listitem')
  await expect(listed('Version 2 by admin')).toHaveText([/step_timeout_seconds\s*added\s*70/])
  await expect(listed('Your text')).toHaveText([/runner\.idle_timeout\s*added\s*60/])
  await page.getByRole('button', { name: 'Keep my changes' }).click()
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await page.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByText(`Version 3 by ${bank.username('ann')}`)).toBeVisible()
  expect((await dataOf(bank.as('ann'), settings)).data).toEqual({ 'runner.idle_timeout': 60, step_timeout_seconds: 70 })
})

test('the comparison of versions names the values that differ, secrets included', async ({ page, open, bank }) => {
  const admin = bank.as('admin')
  const { path, settings } = await environment(bank, 'compared')
  const vault = { address: 'https://vault.example', auth_method: 'token', token: 'first' }
  const configuration = await admin.show('/api/system_configuration')
  const global = configuration.relationships?.['settings']?.links?.related ?? ''
  await admin.update(global, { data: { 'allowed.vault': [vault, { ...vault, token: 'second' }] } })
  await admin.update(settings, { data: { vault, step_timeout_seconds: 60 } })
  await admin.update(settings, { data: { vault: { ...vault, token: 'second' } } })
  await admin.update(settings, { data: { step_timeout_seconds: 70, on_runner_lost: 'restart' } })
  await open(`${path}?tab=settings&view=history`)
  const changed = page.getByRole('list', { name: /values? differs?$/ }).getByRole('listitem')
  await expect(changed).toHaveText([/step_timeout_seconds\s*changed\s*60.*70/, /on_runner_lost\s*added\s*restart/])
  await page.getByRole('link', { name: 'v3' }).click()
  await expect(changed).toHaveText([/vault\.token\s*changed\s*Secret\s*The secret is another one/])
  await expect(page.getByText('Only secrets differ.')).toBeVisible()
  await page.getByRole('link', { name: 'v2' }).click()
  await page.getByLabel('Compare with').selectOption('Version 4')
  await expect(changed).toHaveCount(3)
  await expectGoodEverywhere(page, () => expect(changed).toHaveCount(3))
  await admin.update(global, { data: { 'allowed.vault': null } })
})

test('the time slider shows the settings of the past, and the properties of a project', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const { path, settings } = await environment(bank, 'settings-past')
  await ann.update(settings, { data: { step_timeout_seconds: 60 } })
  await ann.update(settings, { data: { step_timeout_seconds: 70 } })
  await open(`${path}?tab=settings`)
  const timeout = page.getByRole('row').filter({ hasText: 'step_timeout_seconds' })
  await expect(timeout).toContainText('70')
  await page.getByRole('button', { name: 'Earlier version' }).click()
  await expect(page).toHaveURL(/at=/)
  await expect(timeout).toContainText('60')
  await page.getByRole('link', { name: 'Form' }).click()
  await expect(page.getByRole('textbox', { name: 'Settings', exact: true })).toContainText('step_timeout_seconds: 60')
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(page.getByRole('spinbutton', { name: 'step_timeout_seconds' })).toHaveValue('70')

  const project = await ann.show(`/api${bank.path}`)
  const properties = project.relationships?.['properties']?.links?.related ?? ''
  for (const port of [9001, 9002]) await ann.update(properties, { data: { slider: port } })
  await page.goto(`${bank.path}?tab=properties`)
  await expect(row(page, 'slider')).toContainText('9002')
  await page.getByRole('button', { name: 'Earlier version' }).click()
  await expect(row(page, 'slider')).toContainText('9001')
  await ann.update(properties, { data: {} })
})

test('a setting is set, refused, corrected and inherited again', async ({ page, open, bank }) => {
  const { path, settings } = await environment(bank, 'settings')
  await open(`${path}?tab=settings&view=own`)
  await page.getByRole('button', { name: 'Set here… runner.idle_timeout' }).click()
  const field = page.getByRole('spinbutton', { name: 'runner.idle_timeout' })
  await expect(field).toHaveValue('30')
  await field.fill('99999')
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('runner.idle_timeout should be an integer from 0 to 3600.')).toBeVisible()
  await field.fill('60')
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await page.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByText(`Version 2 by ${bank.username('ann')}`)).toBeVisible()
  expect((await dataOf(bank.as('ann'), settings)).data).toEqual({ 'runner.idle_timeout': 60 })
  await page.getByRole('button', { name: 'Inherit again: runner.idle_timeout' }).click()
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await page.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByText(`Version 3 by ${bank.username('ann')}`)).toBeVisible()
  expect((await dataOf(bank.as('ann'), settings)).data).toEqual({})
})
