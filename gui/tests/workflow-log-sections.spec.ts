import type { Page } from '@playwright/test'
import type { WorkflowRun } from '#client/generated/api.ts'
import { until } from '#client/sluice.ts'
import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const asset = (code: string) => `environments/test/assets/${code}`

const inner = `steps:
  - { target: ${asset('back')}, action: check, name: check inside }
`
const outer = (nested: string) => `steps:
  - { target: ${asset('front')}, action: check, name: check front }
  - { type: workflow, target: ${nested}, name: nested }
  - { target: ${asset('back')}, action: talkative, name: talk }
`

const headers = (page: Page) => page.locator('[data-section] h2 button')
const header = (page: Page, name: string) => headers(page).filter({ hasText: name })

async function run(bank: TestBank, code: string, source_yaml: string): Promise<string> {
  const ann = bank.as('ann')
  await ann.create(`/api${bank.path}/workflows`, { code, name: code, source_yaml, draft: false })
  return (await ann.create<WorkflowRun>(`/api${bank.path}/workflows/${code}/runs`)).id
}

const runWhen = (bank: TestBank, id: string, status: string) =>
  until(
    `run ${id} is ${status}`,
    () => bank.as('admin').show<WorkflowRun>(`/api/workflow_runs/${id}`),
    ({ attributes }) => attributes.status_code === status,
  )

/** A run of a change, of another workflow, and of a change that fails; its names begin with `code`. */
async function failedRun(bank: TestBank, code: string): Promise<string> {
  const nested = `${code}-inside`
  await bank
    .as('ann')
    .create(`/api${bank.path}/workflows`, { code: nested, name: nested, source_yaml: inner, draft: false })
  const id = await run(bank, code, outer(nested))
  await runWhen(bank, id, 'error')
  return id
}

/** Paths of the requests of a page. */
function requestsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', request => paths.push(new URL(request.url()).pathname))
  return paths
}

test('the log of a workflow run in sections: one for each step that started something, each with its whole log', async ({
  page,
  open,
  bank,
}) => {
  const id = await failedRun(bank, 'sectioned')
  const paths = requestsOf(page)
  await open(`/activities/${id}`)
  await page.getByRole('button', { name: 'Sections by step' }).click()
  await expect(page).toHaveURL(/by=step/)
  for (const [name, status, lines] of [
    ['check front', 'success', '1 line'],
    ['nested', 'success', '1 line'],
    ['talk', 'error', '3,044 lines'],
  ] as const)
    await expect(page.getByRole('button', { name: new RegExp(`^${status} ${name} .* ${lines}$`) })).toBeVisible()
  await expect(headers(page)).toHaveCount(3)
  await expect(header(page, 'talk')).toHaveAttribute('aria-expanded', 'true')
  await expect(header(page, 'nested')).toHaveAttribute('aria-expanded', 'false')
  // All steps came in one answer, which the sections share.
  const path = `/api/workflow_runs/${id}`
  expect(paths.filter(each => each === `${path}/tree`)).toHaveLength(1)
  expect(paths.filter(each => each === `${path}/steps`)).toHaveLength(0)

  const log = page.getByRole('log', { name: 'Log by step' })
  await header(page, 'nested').click()
  await expect(log.getByText('all disks have room')).toBeVisible()
  await page.getByLabel('Find in the log').fill('many 2999')
  await expect(page.getByText('– of 1')).toBeVisible()
  await page.getByRole('button', { name: 'Next match (n)' }).click()
  await expect(log.getByText('many 2999', { exact: true })).toBeInViewport()
  await page.getByRole('log').focus()
  await page.keyboard.press('e')
  await expect(log.getByText('latency p99 is 812 ms')).toBeInViewport()

  await page.getByRole('treeitem', { name: /^success check front / }).click()
  await expect(page.locator('[data-line="1"]').getByText('all disks have room').first()).toBeInViewport()
  await page.getByRole('link', { name: 'Open what check front has started' }).click()
  await expect(page.getByRole('heading', { name: 'check', level: 1 })).toBeVisible()
})

const workflow = (bank: TestBank, code: string, source_yaml: string) =>
  bank.as('ann').create(`/api${bank.path}/workflows`, { code, name: code, source_yaml, draft: false })

/** A run whose step `middle` runs a workflow whose step `below` runs another, in which a change fails. */
async function failedTwoDown(bank: TestBank, code: string): Promise<string> {
  const nested = (name: string, of: string) => `  - { type: workflow, target: ${code}-${of}, name: ${name} }\n`
  const change = (name: string, of: string, action: string) =>
    `  - { target: ${asset(of)}, action: ${action}, name: ${name} }\n`
  await workflow(bank, `${code}-good`, `steps:\n${change('look', 'front', 'check')}`)
  const two = `${change('look first', 'front', 'check')}${change('talk', 'back', 'talkative')}`
  await workflow(bank, `${code}-bad`, `steps:\n${two}`)
  await workflow(bank, `${code}-both`, `steps:\n${nested('prepare', 'good')}${nested('below', 'bad')}`)
  const id = await run(bank, code, `steps:\n${change('begin', 'front', 'check')}${nested('middle', 'both')}`)
  await runWhen(bank, id, 'error')
  return id
}

test('the steps of nested runs have sections of their own, two levels down, which search, links and folding reach', async ({
  page,
  open,
  bank,
}) => {
  const id = await failedTwoDown(bank, 'levels')
  const paths = requestsOf(page)
  await open(`/activities/${id}?by=step`)
  const log = page.getByRole('log', { name: 'Log by step' })
  // The way to the step that failed is open.
  const names = ['begin', 'middle', 'middle › prepare', 'middle › below', 'middle › below › look first']
  for (const name of [...names, 'middle › below › talk'])
    await expect(headers(page).filter({ hasText: new RegExp(`^${name}\\d`) })).toBeVisible()
  await expect(page.getByRole('button', { name: /^error middle › below › talk .* 3,044 lines$/ })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  await expect(page.getByRole('button', { name: /^error middle .* 3,046 lines$/ })).toBeVisible()
  expect(paths.filter(path => path.endsWith('/tree'))).toHaveLength(3)

  await page.getByLabel('Find in the log').fill('all disks have room')
  await expect(page.getByText('– of 4')).toBeVisible()
  const next = page.getByRole('button', { name: 'Next match (n)' })
  // From the lines in sight, those of the last section.
  for (const place of ['4 of 4', '1 of 4']) {
    await next.click()
    await expect(page.getByText(place)).toBeVisible()
  }
  // The next match is in a run whose steps have not been read.
  await next.click()
  const look = page.getByRole('button', { name: /^success middle › prepare › look .* 1 line$/ })
  await expect(look).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('2 of 4')).toBeVisible()
  await next.click()
  await expect(page.getByText('3 of 4')).toBeVisible()

  const third = log.locator('[data-section]').filter({ hasText: 'look first' })
  await expect(third.getByRole('button')).toHaveAttribute('aria-expanded', 'true')
  await log.getByRole('link', { name: 'Line 1', exact: true }).nth(2).click()
  await expect(page).toHaveURL(/step=[0-9a-f-]{36}&line=1|line=1&step=[0-9a-f-]{36}/)
  const address = page.url()
  await page.goto('/activities')
  await page.goto(address)
  await expect(page.getByRole('button', { name: /^success middle › below › look first / })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  // Folded, the run is one section again.
  await page.getByRole('button', { name: /^error middle \d/ }).click()
  await expect(headers(page)).toHaveCount(2)
  await page.getByRole('button', { name: /^error middle \d/ }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('button', { name: /look first / })).toBeVisible())
})

test('the section of a step of a nested run grows as its lines come, and ends with all of them', async ({
  page,
  open,
  bank,
}) => {
  await workflow(bank, 'dripping', `steps:\n  - { target: ${asset('back')}, action: drip-left, name: drip }\n`)
  const id = await run(bank, 'around-drip', 'steps:\n  - { type: workflow, target: dripping, name: nested }\n')
  await open(`/activities/${id}?by=step`)
  const drip = header(page, 'nested › drip')
  await expect(drip).toHaveAttribute('aria-expanded', 'true')
  const lines = async () => Number(/(\d+) lines?$/.exec((await drip.textContent()) ?? '')?.[1] ?? 0)
  await expect.poll(lines).toBeGreaterThan(1)
  const before = await lines()
  await expect.poll(lines).toBeGreaterThan(before)
  await expect(page.getByText(/^left \d+$/).last()).toBeInViewport()
  await bank.as('ann').remove(`/api/workflow_runs/${id}`)
  await page.getByRole('button', { name: /^cancelled nested .* \d+ lines$/ }).click()
  await expect(page.getByRole('button', { name: /^cancelled nested › drip .* \d+ lines$/ })).toBeVisible()
  const answer = await bank.as('ann').raw(`/api/workflow_runs/${id}/log?tail=1`)
  const total = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1])
  await expect.poll(lines).toBe(total)
})

test('the section of a running change grows as its lines come, and its step is named beside them in the log by time', async ({
  page,
  open,
  bank,
}) => {
  const source = `steps:
  - name: both
    run_as: parallel
    children:
      - { target: ${asset('front')}, action: check, name: quick }
      - { target: ${asset('back')}, action: drip-left, name: drip }
`
  const id = await run(bank, 'growing', source)
  await open(`/activities/${id}?by=step`)
  await expect(header(page, 'drip')).toHaveAttribute('aria-expanded', 'true')
  const lines = async () => Number(/(\d+) lines?$/.exec((await header(page, 'drip').textContent()) ?? '')?.[1] ?? 0)
  await expect.poll(lines).toBeGreaterThan(1)
  const before = await lines()
  await expect.poll(lines).toBeGreaterThan(before)
  await expect(page.getByText(/^left \d+$/).last()).toBeInViewport()
  await page.getByRole('button', { name: 'Sections by step' }).click()
  await expect(page.getByRole('log').getByText('drip').first()).toBeVisible()
  await page.getByRole('button', { name: 'Sections by step' }).click()
  await bank.as('ann').remove(`/api/workflow_runs/${id}`)
  await expect(page.getByRole('button', { name: /^cancelled drip .* \d+ lines$/ })).toBeVisible()
  // Now that both are folded, their headers are in sight.
  await expect(page.getByRole('button', { name: /^success quick .* 1 line$/ })).toBeVisible()
  const [step] = await bank.as('ann').list(`/api/workflow_runs/${id}/steps?filter[name_eq]=drip`)
  const answer = await bank.as('ann').raw(`/api/workflow_steps/${step!.id}/log?tail=1`)
  const total = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1])
  await expect.poll(lines).toBe(total)
})

test('sections of a run are accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const id = await failedRun(bank, 'section-views')
  await open(`/activities/${id}?by=step`)
  await header(page, 'nested').click()
  await expectGoodEverywhere(page, () => expect(page.getByText('all disks have room')).toBeVisible())
})
