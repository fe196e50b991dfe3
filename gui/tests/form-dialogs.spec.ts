import type { Locator, Page } from '@playwright/test'
import { expect, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

interface Form {
  readonly name: string
  /** Address with which the dialog opens. */
  readonly at: (bank: TestBank) => string | Promise<string>
  /** Fills in what is required, and leaves the focus in a field of several lines. */
  readonly fill: (dialog: Locator) => Promise<void>
}

const front = ({ path }: TestBank) => `${path}/environments/test/assets/front`

/** The larger forms, which submit in the same way. */
const forms: readonly Form[] = [
  {
    name: 'run an action',
    at: bank => `${front(bank)}?run=deploy`,
    fill: async dialog => {
      await dialog.getByText('Options').click()
      await metadataOf(dialog).fill('ticket=CHG-1')
    },
  },
  {
    name: 'retry a change',
    at: async bank => {
      const { id } = await bank.change('broken')
      await bank.reaches(id, 'error')
      return `/activities/${id}?retry=true`
    },
    fill: dialog => metadataOf(dialog).fill('ticket=CHG-2'),
  },
  {
    name: 'create a schedule',
    at: bank => `/schedules?under=${front(bank)}&schedule=new&action=check`,
    fill: async dialog => {
      await dialog.getByLabel('Cron expression').fill('0 4 * * *')
      await dialog.getByText('Options').click()
      await metadataOf(dialog).fill('ticket=CHG-3')
    },
  },
]

for (const { name, at, fill } of forms)
  test(`Ctrl Enter submits the form to ${name}, and a click beside it does not close it once something is typed`, async ({
    page,
    open,
    bank,
  }) => {
    await open(await at(bank))
    const dialog = page.getByRole('dialog')
    await fill(dialog)
    await clickBeside(page)
    await expect(metadataOf(dialog)).toHaveValue(/^ticket=/)
    await expect(dialog.getByRole('button').last()).not.toHaveAttribute('aria-disabled')
    await metadataOf(dialog).press('Control+Enter')
    await expect(dialog).toBeHidden()
  })

test('Ctrl Enter in the editor of a form submits it and does not change the text', async ({ page, open, bank }) => {
  await open(`${front(bank)}?run=check`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Options').click()
  await dialog.getByRole('textbox', { name: 'Property overrides' }).click()
  await expect(dialog.getByRole('button', { name: 'Run now' })).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  const { attributes } = await bank.reaches(page.url().slice(-36), 'success')
  expect(attributes.property_overrides).toEqual({})
})

test('a click beside a form that nobody has typed into closes it', async ({ page, open, bank }) => {
  await open(`${front(bank)}?run=deploy`)
  await expect(page.getByRole('dialog').getByRole('tree', { name: 'Steps of the plan' })).toBeVisible()
  await clickBeside(page)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('Escape asks before it discards what was typed, and closes a form that nobody has typed into', async ({
  page,
  open,
  bank,
}) => {
  await open(`${front(bank)}?run=deploy`)
  const dialog = page.getByRole('dialog', { name: /deploy/ })
  await dialog.getByText('Options').click()
  await metadataOf(dialog).fill('ticket=CHG-4')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(metadataOf(dialog)).toHaveValue('ticket=CHG-4')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()

  await open(`${front(bank)}?run=deploy`)
  await expect(dialog.getByRole('tree', { name: 'Steps of the plan' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a message of several lines is sent with a decision by Ctrl Enter', async ({ page, open, bank }) => {
  const { id } = await bank.change('rollout')
  await bank.reaches(id, 'waiting_for_approval')
  await open(`/activities/${id}`, 'bob')
  await page.getByRole('button', { name: 'Approve…' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Message').fill('looks\nfine')
  await dialog.getByLabel('Message').press('Control+Enter')
  await expect(dialog).toBeHidden()
  const decisions = () =>
    bank.as('bob').list('/api/events', {
      'filter[type_start]': 'audit:steps:',
      'filter[username_eq]': bank.username('bob'),
    })
  await expect.poll(async () => JSON.stringify(await decisions())).toContain('looks\\nfine')
})

const metadataOf = (dialog: Locator) => dialog.getByRole('textbox', { name: 'Metadata' })

/** Clicks on the page behind a dialog. */
const clickBeside = (page: Page): Promise<void> => page.mouse.click(4, 300)
