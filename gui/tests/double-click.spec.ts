import type { Locator, Page } from '@playwright/test'
import { expect, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

/** Double-clicks while the page has a twentieth of the processor, as on a loaded machine. */
async function doubleClickSlowly(page: Page, button: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  await button.dblclick()
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

/** Bodies of the requests that write to a path. */
function sentTo(page: Page, path: string): string[] {
  const bodies: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET' && new URL(request.url()).pathname === path) bodies.push(request.postData() ?? '')
  })
  return bodies
}

const frontOf = ({ path }: TestBank) => `${path}/environments/test/assets/front`

test('a double click runs an action once', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await page.goto(`${frontOf(bank)}?run=check`)
  const run = page.getByRole('dialog').getByRole('button', { name: 'Run now' })
  await expect(run).not.toHaveAttribute('aria-disabled')
  const sent = sentTo(page, `/api${frontOf(bank)}/changes`)
  await doubleClickSlowly(page, run)
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  expect(sent).toHaveLength(1)
  await bank.reaches(page.url().slice(-36), 'success')
  const changes = await bank.as('ann').list('/api/changes', { 'filter[node_path_eq]': frontOf(bank) })
  expect(changes).toHaveLength(1)
})

test('a double click on the button of a form sends it once, and so does Enter held down', async ({
  page,
  open,
  bank,
}) => {
  const path = `/api${frontOf(bank)}/bookmarks`
  const sent = sentTo(page, path)
  await open(`${frontOf(bank)}?tab=bookmarks`)
  const dialog = page.getByRole('dialog')
  const add = async (text: string) => {
    await page.getByRole('button', { name: 'Add a bookmark…' }).click()
    await dialog.getByLabel('Text').fill(text)
  }
  await add('Runbook')
  await doubleClickSlowly(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(dialog).toBeHidden()
  expect(sent).toHaveLength(1)
  await add('Dashboard')
  await dialog.getByLabel('Text').focus()
  // The second one is a repetition, as of a key that is held.
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(dialog).toBeHidden()
  expect(sent).toHaveLength(2)
  expect(await bank.as('ann').list(path)).toHaveLength(2)
})

test('a double click on a confirmation sends it once', async ({ page, open, bank }) => {
  const path = `${bank.path}/environments/clicked`
  await bank.as('ann').create(`/api${bank.path}/environments`, { code: 'clicked', name: 'Clicked' })
  const sent = sentTo(page, `/api${path}`)
  await open(path)
  await page.getByRole('button', { name: 'More actions for this node' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await doubleClickSlowly(page, page.getByRole('dialog').getByRole('button', { name: 'Archive' }))
  await expect(page.getByText('This node is archived: it is read-only')).toBeVisible()
  expect(sent).toHaveLength(1)
})
