import type { Page } from '@playwright/test'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

const headings = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('columnheader')
const preferencesOf = async (bank: import('./fixtures.ts').TestBank) =>
  (await bank.as('ann').show<{ data: Record<string, unknown> }>('/api/me/preferences')).attributes.data

test.afterEach(async ({ bank }) => {
  await bank.as('ann').update('/api/me/preferences', { data: { columns: null } })
})

test('columns are chosen and ordered by keyboard, and kept in the address and with the account', async ({
  page,
  open,
  bank,
}) => {
  await bank.reaches((await bank.change('broken')).id, 'error')
  await open('/activities')
  await page.getByRole('button', { name: 'Columns…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'User' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Error' }).focus()
  await page.keyboard.press('Space')
  for (let i = 0; i < 12; i += 1) await page.keyboard.press('Alt+ArrowUp')
  await expect(dialog.getByRole('status')).toHaveText('Error is at place 1 of 10.')
  await expect(dialog.getByRole('checkbox', { name: 'Error' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Move Target up' }).click()
  await expect(dialog.getByRole('button', { name: 'Move Target up' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(headings(page, 'Activities')).toHaveText([
    '',
    'Error',
    'Status',
    'Target',
    'Action',
    'Created',
    'Duration',
  ])
  await expect(page).toHaveURL(/columns=error%2Cstatus%2Ctarget%2Caction%2Ccreated%2Cduration/)
  await expect(page.getByRole('table', { name: 'Activities' }).getByText('exit code 3').first()).toBeVisible()

  await expect
    .poll(async () => (await preferencesOf(bank))['columns'])
    .toEqual({ activities: ['error', 'status', 'target', 'action', 'created', 'duration'] })
  await page.goto('/activities')
  await expect(headings(page, 'Activities').nth(1)).toHaveText('Error')
  await page.goto('/activities?columns=duration')
  await expect(headings(page, 'Activities')).toHaveText(['', 'Action', 'Duration'])
  await page.getByRole('button', { name: 'Columns…' }).click()
  await dialog.getByRole('button', { name: 'Default columns' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(headings(page, 'Activities')).toHaveText([
    '',
    'Status',
    'Action',
    'Target',
    'User',
    'Created',
    'Duration',
  ])
  await expect(page).not.toHaveURL(/columns=/)
  await expect.poll(async () => (await preferencesOf(bank))['columns']).toEqual({})
})

test('an address with columns that do not exist shows the default', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('check')).id, 'success')
  await open('/activities?columns=nonsense')
  await expect(headings(page, 'Activities')).toHaveText([
    '',
    'Status',
    'Action',
    'Target',
    'User',
    'Created',
    'Duration',
  ])
})

test('the choice of columns is accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('check')).id, 'success')
  await open('/activities?columns=status,action,error,started')
  await expectGoodEverywhere(page, () => expect(page.getByRole('table', { name: 'Activities' })).toBeVisible())
  await page.getByRole('button', { name: 'Columns…' }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible())
})
