import type { Locator, Page } from '@playwright/test'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const frontOf = ({ path }: TestBank) => `${path}/environments/test/assets/front`

const sheet = (page: Page) => page.getByRole('dialog')

/** Opens the run dialog by its address. */
async function openRun(page: Page, bank: TestBank, action: string): Promise<void> {
  await page.goto(`${frontOf(bank)}?run=${action}`)
  await expect(sheet(page)).toBeVisible()
}

/** Replaces the text of an editor. Emptied first: over coloured text, Chromium tries to insert text with inline styles. */
async function typeInto(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

test('a project, an environment and an asset are created, and an action is run by its plan', async ({
  page,
  open,
  bank,
}) => {
  await open('/projects', 'admin')
  await page.getByRole('button', { name: 'Create project…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Night train')
  await expect(dialog.getByLabel('Code')).toHaveValue('night-train')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/projects\/night-train$/)
  // The template comes from the repository of the bank.
  const admin = bank.as('admin')
  const [remote] = await admin.list<{ url: string }>(`/api${bank.path}/git_remotes`)
  await admin.create('/api/projects/night-train/git_remotes', { name: 'code', url: remote!.attributes.url })
  const template = { code: 'web', name: 'Web server', template_type: 'asset', git_remote_name: 'code' }
  await admin.create('/api/projects/night-train/templates', template)
  await admin.put('/api/projects/night-train/templates/web/versions/1.0', { git_rev: 'main' })
  await expect
    .poll(async () => {
      const path = '/api/projects/night-train/templates/web/versions/1.0'
      return (await admin.show<{ state: string }>(path)).attributes.state
    })
    .toBe('ready')

  await page.getByRole('button', { name: 'More actions for this node' }).click()
  await page.getByRole('menuitem', { name: 'Create an environment…' }).click()
  await dialog.getByLabel('Name').fill('Live')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Live', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'More actions for this node' }).click()
  await page.getByRole('menuitem', { name: 'Create an asset…' }).click()
  await dialog.getByLabel('Name').fill('Front')
  await dialog.getByLabel('Template').selectOption('web')
  await dialog.getByLabel('Version').selectOption('1.0')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/projects\/night-train\/environments\/live\/assets\/front$/)
  await expect(page.getByRole('treeitem', { selected: true })).toHaveAccessibleName(/front/)

  await page.getByRole('link', { name: 'Run deploy…' }).click()
  await expect(page).toHaveURL(/run=deploy/)
  const steps = sheet(page).getByRole('tree', { name: 'Steps of the plan' })
  await expect(steps.getByRole('treeitem', { name: /warm-up/ })).toBeVisible()
  await expect(sheet(page).getByText('sluice changes create /projects/night-train')).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Run now' }).click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  const id = page.url().slice(-36)
  const change = await bank.reaches(id, 'success')
  expect(change.attributes.plan_sha).not.toBeNull()
})

test('a code that is taken is refused at its field', async ({ page, open, bank }) => {
  await open(bank.path)
  await page.goto(`${bank.path}?create=environment`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Live')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByLabel('Code')).toHaveAccessibleDescription(/The code "live" is taken/)
})

test('r opens the run dialog; steps are skipped in the plan, and it says what the approval needs', async ({
  page,
  open,
  bank,
}) => {
  await open(frontOf(bank))
  await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
  await page.keyboard.press('r')
  await sheet(page).getByLabel('Action').selectOption('rollout')
  await expect(sheet(page).getByText(`1 approval from ${bank.username('bob')}`)).toBeVisible()
  const steps = sheet(page).getByRole('tree', { name: 'Steps of the plan' })
  await steps.getByRole('treeitem', { name: /warm-up/ }).click()
  await expect(steps.getByRole('treeitem', { name: /warm-up skipped/ })).toBeVisible()
  await expect(
    sheet(page).getByText('--skip rollout/Prepare/warm-up').or(sheet(page).getByText("--skip 'rollout")),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).not.toHaveURL(/run=/)
})

test('overrides, metadata and the starting step are part of the change', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await openRun(page, bank, 'deploy')
  await sheet(page).getByText('Options').click()
  await sheet(page).getByLabel('Starting step').fill('deploy/restart')
  await sheet(page).getByLabel('Metadata').fill('ticket=CHG-2041')
  const editor = sheet(page).getByRole('textbox', { name: 'Property overrides' })
  await typeInto(page, editor, 'web: [')
  await expect(sheet(page).getByText(/^Line 1/)).toBeVisible()
  await typeInto(page, editor, 'web: { port: 443 }')
  await expect(sheet(page).getByRole('treeitem', { name: /check skipped/ })).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Run now' }).click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  const { attributes } = await bank.reaches(page.url().slice(-36), 'success')
  expect(attributes.property_overrides).toEqual({ web: { port: 443 } })
  expect(attributes.metadata).toEqual({ ticket: 'CHG-2041' })
  expect(attributes.starting_step).toBe('deploy/restart')
})

test('a plan that has changed since it was shown is not run but shown again', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await openRun(page, bank, 'deploy')
  await expect(sheet(page).getByRole('tree', { name: 'Steps of the plan' })).toBeVisible()
  const ann = bank.as('ann')
  const node = await ann.show(`/api${frontOf(bank)}`)
  const { id } = node.relationships!['properties']!.data as { id: string }
  await ann.update(`/api/properties/${id}`, { data: { web: { port: Date.now() % 60_000 } } })
  const { promise: isLookedAt, resolve: lookAt } = Promise.withResolvers<void>()
  await page.route('**/changes', async (route, request) => {
    if (request.postData()?.includes('"plan":true')) await isLookedAt
    await route.continue()
  })
  const runNow = sheet(page).getByRole('button', { name: 'Run now' })
  await runNow.click()
  await expect(sheet(page).getByRole('alert')).toHaveText(/The plan has changed since it was shown/)
  // The plan of before is still shown, and cannot be run.
  await expect(runNow).toHaveAccessibleDescription('The plan is not there yet.')
  lookAt()
  await runNow.click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
})

test('the plan links to the activities that it waits behind', async ({ page, open, bank }) => {
  const later = { attributes: { run_at: '2099-01-01T00:00:00Z' } }
  const ahead: string[] = []
  for (let i = 0; i < 4; i += 1) ahead.push((await bank.change('check', later)).id)
  await open('/')
  await openRun(page, bank, 'check')
  const queue = sheet(page).getByText('waits behind 4 activities of the same name')
  await expect(queue).toContainText('and 1 more')
  await expect(queue.getByRole('link')).toHaveCount(3)
  await expect(queue.getByRole('link').first()).toHaveAttribute('href', `/activities/${ahead[0]}`)
  await expectGoodEverywhere(page, () => expect(queue).toBeVisible())
  for (const id of ahead) await bank.as('ann').remove(`/api/changes/${id}`)
})

test('a reader is refused the plan', async ({ page, open, bank }) => {
  await open(frontOf(bank), 'bob')
  await openRun(page, bank, 'deploy')
  await expect(sheet(page).getByText('Not permitted')).toBeVisible()
})

test('the run dialog is accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await openRun(page, bank, 'rollout')
  await sheet(page).getByText('Options').click()
  await expectGoodEverywhere(page, () =>
    expect(sheet(page).getByRole('tree', { name: 'Steps of the plan' })).toBeVisible(),
  )
})

test('a failed change is retried: what succeeded is kept, and the dialog says so', async ({ page, open, bank }) => {
  const { id } = await bank.change('broken', { attributes: { metadata: { ticket: 'CHG-7' } } })
  await bank.reaches(id, 'error')
  await open(`/activities/${id}`)
  await page.getByRole('link', { name: 'Retry…' }).click()
  await expect(page).toHaveURL(/retry=true/)
  await expect(sheet(page).getByText('Keeps 2 steps that succeeded, runs 2 steps again.')).toBeVisible()
  await expect(sheet(page).getByLabel('Metadata')).toHaveValue('ticket=CHG-7')
  await sheet(page).getByRole('treeitem', { name: /^fail/ }).click()
  await expect(sheet(page).getByText('Keeps 2 steps that succeeded, runs 1 step again.')).toBeVisible()
  await expect(sheet(page).getByText(`sluice changes retry ${id} --skip broken/fail`)).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Retry now' }).click()
  await expect(page).not.toHaveURL(new RegExp(id))
  await expect(sheet(page)).toBeHidden()
  const retried = await bank.reaches(page.url().slice(-36), 'success')
  expect(retried.attributes.skip_steps).toEqual(['broken/fail'])
  await page.goBack()
  await expect(page).toHaveURL(`/activities/${id}`)
  await expect(page.getByRole('heading', { name: 'broken', level: 1 })).toBeVisible()
  await expect(sheet(page)).toBeHidden()
})

test('the Back button does not open a dialog again that was closed', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  await page.getByRole('button', { name: 'Run…', exact: true }).click()
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(sheet(page)).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(frontOf(bank))
  await expect(sheet(page)).toBeHidden()
})

test('after a run, the Back button leads to the node and not to the dialog that would run it again', async ({
  page,
  open,
  bank,
}) => {
  await open(frontOf(bank))
  await page.getByRole('button', { name: 'Run…', exact: true }).click()
  await sheet(page).getByLabel('Action').selectOption('check')
  await sheet(page).getByRole('button', { name: 'Run now' }).click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  await bank.reaches(page.url().slice(-36), 'success')
  await page.goBack()
  await expect(page).toHaveURL(frontOf(bank))
  await expect(page.getByRole('button', { name: 'Run…', exact: true })).toBeVisible()
  await expect(sheet(page)).toBeHidden()
})
