import type { Page } from '@playwright/test'
import type { Workflow } from '#client/generated/api.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const workflowsOf = ({ path }: TestBank) => `/api${path}/workflows`

const source = `steps:
  - target: environments/test/assets/front
    action: check
  - name: Both
    run_as: parallel
    children:
      - { target: environments/test/assets/front, action: check }
      - { targets: [environments/test/assets/back], action: fetch }
`

const create = (bank: TestBank, code: string, text = source, draft = true) =>
  bank.as('ann').create<Workflow>(workflowsOf(bank), { code, name: `The ${code}`, source_yaml: text, draft })

/** The editor; its text is replaced as a user would, by selecting all of it. */
const editorOf = (page: Page, name: string) => page.getByRole('textbox', { name: `Definition of ${name}` })

async function replaceText(page: Page, name: string, text: string): Promise<void> {
  const editor = editorOf(page, name)
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

test('a workflow is created, corrected where it is wrong, published and run to its end', async ({
  page,
  open,
  bank,
}) => {
  await open('/workflows')
  await page.getByRole('button', { name: 'New workflow…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New workflow' })
  // The projects are read when the dialog is there already.
  await expect(dialog.getByLabel('Project')).toBeFocused()
  await dialog.getByLabel('Name').fill('Night release')
  await expect(dialog.getByLabel('Code')).toHaveValue('night-release')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(`/workflows/${bank.code}/night-release`)
  await expect(page.getByText('No errors')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps of the workflow' })).toContainText('Is everything ready?')

  await replaceText(page, 'Night release', source.replace('assets/back', 'assets/bakc').replace('action:', 'acton:'))
  const problems = page.getByRole('region', { name: 'Errors of the definition' })
  const node = problems.getByRole('button', { name: /assets\/bakc/ })
  await expect(node).toBeVisible()
  await expect(problems.getByRole('button', { name: /acton/ })).toBeVisible()
  await expect(page.getByText('The last valid version of the steps')).toBeVisible()
  await expect(page.locator('.cm-lintRange-error').first()).toBeVisible()
  await node.click()
  await expect(editorOf(page, 'Night release')).toBeFocused()

  await replaceText(page, 'Night release', source)
  await expect(page.getByText('No errors')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Saved draft v1')).toBeVisible()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('dialog', { name: 'Publish v1' }).getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('v1 published')).toBeVisible()

  await page.getByRole('button', { name: 'Run…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}/)
  await page.goto(`/workflows/${bank.code}/night-release?tab=runs`)
  await expect(page.getByRole('row').filter({ hasText: 'success' })).toBeVisible()
  await page.goto('/workflows')
  await expect(page.getByRole('row').filter({ hasText: 'Night release' })).toContainText('v1')
})

test('a long name in the list ends in dots beside its code, and can be read under the pointer', async ({
  page,
  open,
  bank,
}) => {
  const name = `Release ${'of everything that there is '.repeat(6)}at night`
  await bank
    .as('ann')
    .create<Workflow>(workflowsOf(bank), { code: 'long-name', name, source_yaml: source, draft: true })
  await open(`/workflows?project=${bank.code}`)
  const cell = page.getByRole('cell').filter({ hasText: name })
  const link = cell.getByRole('link')
  const code = cell.getByText('long-name')
  await expect(code).toBeInViewport({ ratio: 1 })
  expect((await code.boundingBox())!.x).toBeGreaterThan((await link.boundingBox())!.x)
  await link.hover()
  await expect(page.getByTitle(name)).toBeVisible()
})

test('a workflow is run at a time, or becomes a schedule, from a dialog that has an address', async ({
  page,
  open,
  bank,
}) => {
  await create(bank, 'later', source, false)
  await open(`/workflows/${bank.code}/later?run=true`)
  const dialog = page.getByRole('dialog', { name: 'Run The later' })
  await dialog.getByLabel('Skip steps').fill('hold')
  await dialog.getByLabel('Metadata').fill('ticket=CHG-7')
  const schedule = dialog.getByRole('link', { name: 'As a schedule…' })
  await expect(schedule).toHaveAttribute('href', /workflow=later.*skip=hold.*metadata=ticket/)
  await dialog.getByLabel('Start not before').fill('2030-01-02T03:04')
  await expect(dialog.getByText(/run_at=2030-01-02T/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'As a schedule…' })).toHaveAccessibleDescription(
    /does not take over a start time/,
  )
  await dialog.getByRole('button', { name: 'Run at this time' }).click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}$/)
  await expect(page.getByText(/2 Jan 2030/)).toBeVisible()
  await bank.as('ann').remove(`/api/workflow_runs/${page.url().slice(-36)}`)

  await page.goto(`/workflows/${bank.code}/later?run=true`)
  await dialog.getByLabel('Skip steps').fill('hold')
  await schedule.click()
  const form = page.getByRole('dialog', { name: 'New schedule' })
  await expect(form.getByLabel('Target')).toHaveValue(bank.path)
  await expect(form.getByRole('combobox', { name: 'Workflow' })).toHaveValue('later')
  await expect(form.getByLabel('Steps to skip')).toHaveValue('hold')
})

test('a text that somebody else saved meanwhile is merged, nothing is lost', async ({ page, open, bank }) => {
  await create(bank, 'shared')
  await open(`/workflows/${bank.code}/shared`)
  await expect(page.getByText('No errors')).toBeVisible()
  await bank
    .as('admin')
    .update(`${workflowsOf(bank)}/shared/versions/1`, { source_yaml: `# from the admin\n${source}` })
  await replaceText(page, 'The shared', `${source}  - { type: wait, seconds: 1 }\n`)
  await page.keyboard.press('ControlOrMeta+s')
  const dialog = page.getByRole('dialog', { name: 'Another user has saved this workflow' })
  await expect(dialog).toContainText('You changed different lines')
  // Who created a draft has perhaps not saved it last, and the API does not tell who has.
  await expect(dialog).not.toContainText('ann')
  // What they changed is in both texts, so that what is left is what saving adds.
  await expect(dialog.locator('.cm-changedLine')).toHaveCount(1)
  await expectGoodEverywhere(page, () => expect(dialog.getByText('Merged text').first()).toBeVisible())
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(editorOf(page, 'The shared')).toContainText('# from the admin')
  await editorOf(page, 'The shared').focus()
  await page.keyboard.press('ControlOrMeta+s')
  await dialog.getByRole('button', { name: 'Save merged text' }).click()
  await expect(page.getByText('Saved draft v1')).toBeVisible()
  const { attributes } = await bank.as('ann').show<{ source_yaml: string }>(`${workflowsOf(bank)}/shared/versions/1`)
  expect(attributes.source_yaml).toContain('# from the admin')
  expect(attributes.source_yaml).toContain('seconds: 1')
})

test('lines that two people changed at once are named, and can be taken from either', async ({ page, open, bank }) => {
  await create(bank, 'clash', 'steps:\n  - { type: wait, seconds: 1 }\n')
  await open(`/workflows/${bank.code}/clash`)
  await expect(page.getByText('No errors')).toBeVisible()
  const draft = `${workflowsOf(bank)}/clash/versions/1`
  await bank.as('admin').update(draft, { source_yaml: 'steps:\n  - { type: wait, seconds: 2 }\n' })
  await replaceText(page, 'The clash', 'steps:\n  - { type: wait, seconds: 3 }\n')
  await page.keyboard.press('ControlOrMeta+s')
  const dialog = page.getByRole('dialog', { name: 'Another user has saved this workflow' })
  await expect(dialog).toContainText('Both changed the same lines in 1 place')
  await expect(dialog.getByRole('textbox', { name: /Merged text/ })).toContainText('seconds: 3')
  await dialog.getByRole('button', { name: 'Take this part' }).click()
  await dialog.getByRole('button', { name: 'Save merged text' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(editorOf(page, 'The clash')).toContainText('seconds: 2')
})

test('a draft that another user has published meanwhile is published for both, without a conflict', async ({
  page,
  open,
  bank,
}) => {
  await create(bank, 'twice')
  await open(`/workflows/${bank.code}/twice`)
  await page.getByRole('button', { name: 'Publish…' }).click()
  await bank.as('admin').send('POST', `${workflowsOf(bank)}/twice/versions/1/publish`)
  await page.getByRole('dialog', { name: 'Publish v1' }).getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Another user has published v1 meanwhile, with the same text')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('unsaved changes are asked about before the page is left', async ({ page, open, bank }) => {
  await create(bank, 'leave')
  await open(`/workflows/${bank.code}/leave`)
  await expect(page.getByText('No errors')).toBeVisible()
  await replaceText(page, 'The leave', `# mine\n${source}`)
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(/leave$/)
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save and leave' }).click()
  await expect(page).toHaveURL(/tab=versions/)
  const { attributes } = await bank.as('ann').show<{ source_yaml: string }>(`${workflowsOf(bank)}/leave/versions/1`)
  expect(attributes.source_yaml).toMatch(/^# mine/)
})

test('any two versions are compared by the address, and an old one becomes a draft', async ({ page, open, bank }) => {
  const ann = bank.as('ann')
  await create(bank, 'history', source, false)
  await ann.update(`${workflowsOf(bank)}/history`, { source_yaml: `${source}# second\n`, draft: false })
  await open(`/workflows/${bank.code}/history?tab=versions&version=2&against=1`)
  await expect(page.getByText('# second')).toBeVisible()
  await page.getByRole('row').filter({ hasText: 'v1' }).getByRole('button', { name: 'Use as draft…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use as draft' }).click()
  await expect(page.getByText('Draft v3')).toBeVisible()
  await expect(editorOf(page, 'The history')).not.toContainText('# second')
})

test('a reader sees why the workflow cannot be changed, a stranger that it is not there', async ({
  page,
  open,
  bank,
}) => {
  await create(bank, 'read-only', source, false)
  await open(`/workflows/${bank.code}/read-only`, 'bob')
  await expect(page.getByText('No errors')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish…' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'Run…' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'More actions' }).click()
  for (const item of await page.getByRole('menuitem').all()) await expect(item).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editorOf(page, 'The read-only')).toHaveAttribute('aria-readonly', 'true')
  await open(`/workflows/${bank.code}/read-only`, 'carol')
  await expect(page.getByRole('alert')).toContainText('Not found')
  await page.goto('/workflows')
  await expect(page.getByText('No workflows yet')).toBeVisible()
})

test('list, editor, versions and dialogs are accessible in both themes, narrow and wide', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const project = await ann.show(`/api${bank.path}`)
  const properties = project.relationships?.['properties']?.data as { id: string } | undefined
  await ann.update(`/api/properties/${properties?.id}`, { data: { pause: 1 } })
  const text = `${source}  - type: wait\n    name: Is it good?\n    requires_approval_from: { user_names: [${bank.username('bob')}] }\n`
  await create(bank, 'looks', `${text}  - { type: wait, seconds: "{{pause}}" }\n`, false)
  await ann.update(`${workflowsOf(bank)}/looks`, { source_yaml: text.replace('action: check', 'acton: check') })
  await open('/workflows')
  await expectGoodEverywhere(page, () => expect(page.getByRole('link', { name: 'The looks' })).toBeVisible())
  await page.goto(`/workflows/${bank.code}/looks`)
  await expectGoodEverywhere(page, () => expect(page.getByRole('button', { name: /acton/ })).toBeVisible())
  await page.goto(`/workflows/${bank.code}/looks?tab=versions`)
  await expectGoodEverywhere(page, () => expect(page.getByText('acton').first()).toBeVisible())
  await page.getByRole('button', { name: 'Run…' }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog').getByLabel('pause')).toBeVisible())
})

test('the editor completes the keys of a step by the schema of workflows, with what they mean', async ({
  page,
  open,
  bank,
}) => {
  await create(bank, 'typed', 'steps:\n  - type: wait\n')
  await open(`/workflows/${bank.code}/typed`)
  const editor = editorOf(page, 'The typed')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('steps:\n  - seconds: 5\n    re')
  await page.keyboard.press('Control+Space')
  const offers = page.getByRole('listbox')
  await expect(offers.getByRole('option')).toHaveText([/^requires_approval_from/, /^reset_on_retry/])
  await expect(page.getByText('Makes the wait an approval')).toBeVisible()
  // Keys that are pressed just when the offers appear go to the text.
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    const second = offers.getByRole('option', { name: /^reset_on_retry/ })
    await expect(second).toHaveAttribute('aria-selected', 'true', { timeout: 500 })
  }).toPass()
  await page.keyboard.press('Enter')
  await page.keyboard.type('true')
  await expect(editor).toContainText('reset_on_retry: true')
  await expect(page.getByText('No errors')).toBeVisible()
})
