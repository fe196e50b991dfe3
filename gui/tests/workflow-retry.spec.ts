import type { Page } from '@playwright/test'
import type { WorkflowRun } from '#client/generated/api.ts'
import { type Resource, until } from '#client/sluice.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

const asset = (code: string) => `environments/test/assets/${code}`

const source = (last: string) => `steps:
  - { target: ${asset('front')}, action: check, name: check front }
  - type: wait
    name: go live
    requires_approval_from: { user_names: [bob] }
  - { target: ${asset('back')}, action: fail, name: roll out }
  - { target: ${asset('front')}, action: verify, name: ${last} }
`

const sheet = (page: Page) => page.getByRole('dialog')

const field = (page: Page, name: string) => sheet(page).getByRole('textbox', { name })

const runWhen = (bank: TestBank, id: string, status: string): Promise<Resource<WorkflowRun>> =>
  until(
    `run ${id} is ${status}`,
    () => bank.as('admin').show<WorkflowRun>(`/api/workflow_runs/${id}`),
    ({ attributes }) => attributes.status_code === status,
  )

/** A run of a new workflow that bob has approved, and that failed after it. */
async function failedRun(bank: TestBank, code: string): Promise<string> {
  const ann = bank.as('ann')
  const workflow = { code, name: code, source_yaml: source('verify'), draft: false }
  await ann.create('/api/projects/bank/workflows', workflow)
  const { id } = await ann.create<WorkflowRun>(`/api/projects/bank/workflows/${code}/runs`, {
    metadata: { ticket: 'CHG-9' },
  })
  await runWhen(bank, id, 'waiting_for_approval')
  const [step] = await bank
    .as('bob')
    .list(`/api/workflow_steps?filter[for_workflow_run]=${id}&filter[waiting_for_me]=true`)
  await bank.as('bob').create(`/api/workflow_steps/${step!.id}/approve`)
  await runWhen(bank, id, 'error')
  return id
}

test('a failed run is retried: the sheet names what is kept, retried and asked again, and marks what differs', async ({
  page,
  open,
  bank,
}) => {
  const id = await failedRun(bank, 'retried')
  const path = '/api/projects/bank/workflows/retried'
  await bank.as('ann').update(path, { source_yaml: source('verify again'), draft: false })
  await open(`/activities/${id}`)
  await page.getByRole('link', { name: 'Retry…' }).click()
  await expect(page).toHaveURL(/retry=true/)
  await expect(sheet(page).getByText('Keeps 2 steps that succeeded, runs 2 steps again.')).toBeVisible()
  const steps = sheet(page).getByRole('tree', { name: 'Steps of the plan' })
  await expect(steps.getByRole('treeitem', { name: /check front .*kept/ })).toBeVisible()
  await expect(steps.getByRole('treeitem', { name: /roll out fail on back.*retries its change/ })).toBeVisible()
  await expect(sheet(page).getByText('none needed')).toBeVisible()
  await expect(field(page, 'Metadata')).toHaveValue('ticket=CHG-9')

  // Other steps to run need the approval once more.
  await steps.getByRole('treeitem', { name: /^roll out/ }).click()
  await expect(field(page, 'Steps to skip')).toHaveValue('roll out')
  await expect(sheet(page).getByText('Changed. The original has none.')).toBeVisible()
  await expect(sheet(page).getByText('1 approval from bob')).toContainText('asked again')
  await expect(sheet(page).getByText(`sluice workflow-runs retry ${id} --skip 'roll out'`)).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Restore steps to skip of the original' }).click()
  await expect(field(page, 'Steps to skip')).toHaveValue('')
  await expect(sheet(page).getByText('none needed')).toBeVisible()

  await sheet(page).getByLabel('Workflow version').selectOption('2')
  await expect(sheet(page).getByText('Changed. The original has v1')).toBeVisible()
  await expect(steps.getByRole('treeitem', { name: /verify again/ })).toBeVisible()
  await field(page, 'Metadata').fill('ticket=CHG-10')
  await expect(sheet(page).getByText('Changed. The original has ticket=CHG-9')).toBeVisible()
  await steps.getByRole('treeitem', { name: /^roll out/ }).click()
  await expect(sheet(page).getByText('Keeps 1 step that succeeded, runs 2 steps again.')).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Retry now' }).click()
  await expect(sheet(page)).toBeHidden()
  await expect(page).not.toHaveURL(new RegExp(id))
  const again = page.url().slice(-36)
  const { attributes, relationships } = await runWhen(bank, again, 'waiting_for_approval')
  expect(attributes).toMatchObject({ version: 2, skip_steps: ['roll out'], metadata: { ticket: 'CHG-10' } })
  expect(relationships?.['retry_of']?.data).toMatchObject({ id })
  await bank.as('ann').remove(`/api/workflow_runs/${again}`)
  await runWhen(bank, again, 'cancelled')
})

test('a retry that is not what its plan showed is refused, and the new plan is shown', async ({ page, open, bank }) => {
  const id = await failedRun(bank, 'moved')
  await open(`/activities/${id}`)
  await page.goto(`/activities/${id}?retry=true`)
  await expect(sheet(page).getByText('Keeps 2 steps that succeeded')).toBeVisible()
  // The change that the step would retry is deleted.
  const [step] = await bank.as('ann').list(`/api/workflow_runs/${id}/steps?filter[name_eq]=roll out`)
  const [change] = step!.relationships!['changes']!.data as unknown as { id: string }[]
  await bank.as('ann').remove(`/api/changes/${change!.id}?purge=true`)
  await sheet(page).getByRole('button', { name: 'Retry now' }).click()
  await expect(sheet(page).getByRole('alert')).toHaveText(/The plan has changed since it was shown/)
  const steps = sheet(page).getByRole('tree', { name: 'Steps of the plan' })
  await expect(steps.getByRole('treeitem', { name: /roll out fail on back/ })).not.toContainText('retries')
  await sheet(page).getByRole('button', { name: 'Retry now' }).click()
  await expect(page).not.toHaveURL(new RegExp(id))
  await runWhen(bank, page.url().slice(-36), 'error')
})

test('the sheet that retries a run is accessible in both themes, narrow and wide; a reader has no way to it', async ({
  page,
  open,
  bank,
  browser,
}) => {
  const id = await failedRun(bank, 'looked-at')
  await open(`/activities/${id}`)
  await page.goto(`/activities/${id}?retry=true`)
  await field(page, 'Metadata').fill('ticket=CHG-11')
  await expectGoodEverywhere(page, async () => {
    await expect(sheet(page).getByRole('tree', { name: 'Steps of the plan' })).toBeVisible()
    await expect(sheet(page).getByText('Changed.')).toBeVisible()
  })
  const context = await browser.newContext({ baseURL: bank.address })
  const other = await context.newPage()
  await open(`/activities/${id}?retry=true`, 'bob', other)
  await expect(other.getByRole('heading', { name: 'looked-at', level: 1 })).toBeVisible()
  await expect(other.getByRole('link', { name: 'Retry…' })).toBeHidden()
  await expect(other.getByRole('dialog')).toBeHidden()
  await context.close()
})

test('the plan of a retry shows what a nested run keeps and runs again, below its step, also two levels down', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const workflow = (code: string, source_yaml: string) =>
    ann.create('/api/projects/bank/workflows', { code, name: code, source_yaml, draft: false })
  const whole = (code: string, name: string) => `  - { type: workflow, target: ${code}, name: ${name} }\n`
  const change = (code: string, action: string, name: string) =>
    `  - { target: ${asset(code)}, action: ${action}, name: ${name} }\n`
  await workflow('nest-good', `steps:\n${change('front', 'check', 'look')}`)
  await workflow('nest-bad', `steps:\n${change('front', 'check', 'look first')}${change('back', 'fail', 'break')}`)
  await workflow('nest-both', `steps:\n${whole('nest-good', 'prepare')}${whole('nest-bad', 'migrate')}`)
  await workflow(
    'nest',
    `steps:\n${whole('nest-good', 'begin')}${whole('nest-both', 'middle')}${change('front', 'verify', 'end')}`,
  )
  const { id } = await ann.create<WorkflowRun>('/api/projects/bank/workflows/nest/runs')
  await runWhen(bank, id, 'error')
  await open(`/activities/${id}?retry=true`)
  const steps = sheet(page).getByRole('tree', { name: 'Steps of the plan' })
  const row = (name: RegExp) => steps.getByRole('treeitem', { name })
  await expect(sheet(page).getByText('Keeps 3 steps that succeeded, runs 2 steps again.')).toBeVisible()
  await expect(row(/^middle runs nest-both.*retries its run/)).toHaveAttribute('aria-level', '2')
  await expect(row(/^migrate runs nest-bad.*retries its run/)).toHaveAttribute('aria-level', '3')
  await expect(row(/^look first check on front.*kept/)).toHaveAttribute('aria-level', '4')
  await expect(row(/^break fail on back.*retries its change/)).toHaveAttribute('aria-level', '4')
  // What is kept whole is folded.
  await expect(row(/^look check on front/)).toHaveCount(0)
  await expect(row(/^begin runs nest-good.*kept/)).toHaveAttribute('aria-expanded', 'false')
  await row(/^begin runs nest-good/)
    .locator('svg')
    .first()
    .click()
  await expect(row(/^look check on front.*kept/)).toHaveAttribute('aria-level', '3')
  // Steps of nested runs are not skipped by the retry.
  await row(/^break fail on back/).click()
  await expect(field(page, 'Steps to skip')).toHaveValue('')
  await expectGoodEverywhere(page, () => expect(row(/^migrate runs nest-bad/)).toBeVisible())
})
