import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { created, newAsset, type Shown, shop, stepAt } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { follow, type LiveAsk, type LiveMessage } from '../support/live-client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded, runStepWhen, stepsOfRun } from '../support/workflows.ts'

const actions = (gates: string) => `
actions:
  several:
    steps: [check, { name: At once, run_as: parallel, steps: [left, right] }, rest]
  check: { run: echo checked }
  left: { run: 'for i in 1 2 3; do seq -f "left %.0f" 500; sleep 0.05; done; until [ -e ${gates}/left ]; do sleep 0.05; done; echo left over' }
  right: { run: 'for i in 1 2 3; do seq -f "right %.0f" 500; sleep 0.05; done' }
  rest: { run: 'until [ -e ${gates}/rest ]; do sleep 0.05; done; echo rested' }
  talk: { run: 'echo "begun on $SLUICE_STEP_ID"; until [ -e ${gates}/$SLUICE_STEP_ID ]; do sleep 0.05; done; echo "over on $SLUICE_STEP_ID"' }
  quick: { run: seq -f "quick %.0f" 3 }
`
const inner = `steps:
  - { name: Inside, target: environments/live/assets/front, action: talk }
`
const outer = `steps:
  - name: Both
    run_as: parallel
    children:
      - { name: First, target: environments/live/assets/front, action: quick }
      - { name: Second, target: environments/live/assets/back, action: quick }
  - { name: Nested, type: workflow, target: inner }
  - { name: Last, target: environments/live/assets/back, action: talk }
`
const reading = { path: '/projects/shop', read: true }
const users = {
  reader: [reading],
  // May read the run, but not the changes of one asset.
  half: [reading, { path: '/projects/shop/environments/live/assets/back', read: false }],
  without: [reading, { path: '/log_lines/quick', read: false }],
  stranger: [],
}

let service: TestService
let gates: Gates
let admin: Client
let asset: string

before(async () => {
  gates = await newGates()
  service = await startTestService({ users })
  admin = service.as('admin')
  asset = (await shop(service, { 'web/actions.yaml': actions(gates.folder), 'web/defaults.yaml': 'x: 1\n' })).asset
  await newAsset(admin, 'back')
  await published(admin, 'inner', inner)
  await published(admin, 'outer', outer)
})
after(async () => {
  await service.stop()
  await gates.remove()
})

const liveOf = (path: string, asked: LiveAsk = {}) => follow(service.address, path, asked)
const open = (gate: string) => gates.open(gate)
const isPrinted = (text: string) => (messages: readonly LiveMessage[]) =>
  messages.some(({ data }) => data.data?.some?.(({ attributes }: Shown) => attributes.message === text))

/** The log as a reader has it who applies the messages, and reads again what has moved: undefined is unread. */
function applied(messages: readonly LiveMessage[]): (string | undefined)[] {
  const log: (string | undefined)[] = []
  for (const { kind, data } of messages) {
    if (kind !== 'log_lines') continue
    const { line, line_count } = data.meta
    const lines: string[] = data.data.map(({ attributes }: Shown) => attributes.message)
    log.length = Math.min(log.length, line)
    while (log.length < line) log.push(undefined)
    if (line + lines.length === line_count) log.push(...lines)
    while (log.length < line_count) log.push(undefined)
  }
  return log
}

async function linesOfLog(client: Client, path: string, query = ''): Promise<string[]> {
  const { text } = await client.get(`${path}?lines=10000${query}`, { accept: 'text/plain' })
  return text.split('\n').slice(0, -1)
}

/** Asserts that what the messages placed is where the log has it, and that they count all of its lines. */
async function assertPlaced(messages: readonly LiveMessage[], client: Client, path: string, query = '') {
  const [log, placed] = [await linesOfLog(client, path, query), applied(messages)]
  assert.equal(placed.length, log.length)
  for (const [index, line] of placed.entries()) if (line !== undefined) assert.equal(line, log[index], String(index))
}

const texts = (messages: readonly LiveMessage[]): string[] =>
  messages.flatMap(({ kind, data }) =>
    kind === 'log_lines' ? data.data.map(({ attributes }: Shown) => attributes.message) : [],
  )

test('the log of a group is followed with the place of each line, and ends with the group', async () => {
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'several' }))
  const group = await stepAtWhenThere(id, 'several/At once')
  const path = `/api/steps/${group}/log`
  const [whole, fresh] = await Promise.all([
    liveOf(`${path}/live?include_child_steps=true&tail=10000`),
    liveOf(`${path}/live?include_child_steps=true&tail=0`),
  ])
  await whole.until(messages => texts(messages).length >= 3_000)
  const late = await liveOf(`${path}/live?include_child_steps=true&tail=5`)
  await late.until(messages => texts(messages).length === 5)
  await open('left')
  for (const stream of [whole, fresh, late]) assert.equal((await stream.ended()).at(-1)?.kind, 'end')
  // The change itself is still running.
  assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.finished_at, null)
  const expected = await linesOfLog(admin, path, '&include_child_steps=true')
  assert.equal(expected.length, 3_001)
  assert.deepEqual(texts(whole.messages).toSorted(), expected.toSorted())
  assert.deepEqual(texts(late.messages), expected.slice(-6))
  for (const { messages } of [whole, fresh, late])
    await assertPlaced(messages, admin, path, '&include_child_steps=true')
  assert.equal(late.messages.at(-2)!.data.meta.line, 3_000)
  await open('rest')
})

async function stepAtWhenThere(id: string, path: string): Promise<string> {
  const stream = await liveOf(`/api/changes/${id}/live?log_lines=false`)
  await stream.until(messages =>
    messages.some(({ kind, data }) => kind === 'step' && data.data.attributes.full_path === path),
  )
  stream.close()
  return (await stepAt(admin, id, path)).id
}

test('the log of a run has the lines of its changes and nested runs, each once, over any number of reconnects', async () => {
  const id = await began(admin, 'outer')
  const path = `/api/workflow_runs/${id}/log`
  const stream = await liveOf(`${path}/live?tail=0`)
  const received: LiveMessage[] = []
  let lastEventId: string | undefined
  // Reconnects behind each message, while the run continues.
  const reconnecting = (async () => {
    for (;;) {
      const part = await liveOf(`${path}/live?tail=10000`, { lastEventId })
      if (part.status === 204) return
      await part.until(({ length }) => length > 0)
      part.close()
      received.push(part.messages[0]!)
      lastEventId = part.messages[0]!.id ?? part.lastId
      if (part.messages[0]!.kind === 'end') return
    }
  })()
  for (const step of ['Inside', 'Last']) {
    const talking = await talkingStep(id, step)
    await stream.until(isPrinted(`begun on ${talking}`))
    await open(talking)
  }
  await stream.ended()
  await reconnecting
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'success')
  const expected = await linesOfLog(admin, path)
  assert.equal(expected.length, 10)
  assert.deepEqual(texts(stream.messages).toSorted(), expected.toSorted())
  assert.deepEqual(texts(received).toSorted(), expected.toSorted())
  await assertPlaced(stream.messages, admin, path)
  await assertPlaced(received, admin, path)

  const nested = (await stepsOfRun(admin, id)).find(({ attributes }) => attributes.name === 'Nested').id
  const ofStep = await (await liveOf(`/api/workflow_steps/${nested}/log/live`)).ended()
  assert.deepEqual(texts(ofStep), await linesOfLog(admin, `/api/workflow_steps/${nested}/log`))
  assert.equal(texts(ofStep).length, 2)
})

/** Id of the step of a change that a step of a run, or of a nested run, made and that waits for its gate. */
async function talkingStep(run: string, name: string): Promise<string> {
  const holder = name === 'Inside' ? await nestedRun(run) : run
  const step = await runStepWhen(admin, holder, name, 'running')
  const record = (await admin.get(`/api/workflow_steps/${step.id}`)).body.data
  const change = record.relationships.changes.data[0].id
  return stepAtWhenThere(change, 'talk')
}

async function nestedRun(run: string): Promise<string> {
  const step = await runStepWhen(admin, run, 'Nested', 'running')
  return (await admin.get(`/api/workflow_steps/${step.id}`)).body.data.relationships.workflow_runs.data[0].id
}

test('a stream has the lines that its reader may read, and counts no others', async () => {
  const id = await began(admin, 'outer')
  for (const step of ['Inside', 'Last']) await open(await talkingStep(id, step))
  await runEnded(admin, id)
  const path = `/api/workflow_runs/${id}/log`
  for (const [username, count] of [
    ['reader', 10],
    ['half', 5],
    ['without', 4],
  ] as const)
    for (const tail of [0, 10_000]) {
      const messages = await (await liveOf(`${path}/live?tail=${tail}`, { username })).ended()
      const expected = await linesOfLog(service.as(username), path)
      assert.equal(expected.length, count, username)
      assert.deepEqual(texts(messages), tail === 0 ? [] : expected, username)
    }
  for (const log of [path, `/api/workflow_steps/${(await stepsOfRun(admin, id))[0]!.id}/log`])
    assert.equal((await liveOf(`${log}/live`, { username: 'stranger' })).status, 404)
})

test('the tree of a run names what its steps made, with the lines of it that the caller may read', async () => {
  const id = await began(admin, 'outer')
  const tree = async (username = 'admin', headers = {}) => {
    const answer = await service.as(username).get(`/api/workflow_runs/${id}/tree`, headers)
    if (answer.status !== 200) return { answer, steps: [] }
    const { columns, rows } = answer.body.data.attributes
    const asStep = (row: unknown[]) => Object.fromEntries(columns.map((name: string, at: number) => [name, row[at]]))
    return { answer, steps: rows.map(asStep) as Record<string, unknown>[] }
  }
  await open(await talkingStep(id, 'Inside'))
  const last = await talkingStep(id, 'Last')
  const early = await tree()
  const etag = { 'if-none-match': early.answer.headers.get('etag')! }
  await open(last)
  await runEnded(admin, id)
  // Also when nothing but the log of a change has moved since.
  assert.equal((await tree('admin', etag)).answer.status, 200)
  const { answer, steps } = await tree()
  assert.equal((await tree('admin', { 'if-none-match': answer.headers.get('etag')! })).answer.status, 304)
  const listed = await stepsOfRun(admin, id)
  assert.deepEqual(
    steps.map(({ id }) => id),
    listed.map(({ id }) => id),
  )
  for (const [index, { id: stepId, relationships }] of listed.entries()) {
    const step = steps[index]!
    for (const name of ['changes', 'workflow_runs'])
      assert.deepEqual(
        step[name],
        relationships[name].data.map((each: { id: string }) => each.id),
        `${step['name']} ${name}`,
      )
    const log = await linesOfLog(admin, `/api/workflow_steps/${stepId}/log`)
    assert.equal(step['total_line_count'], log.length, String(step['name']))
  }
  const totals = (of: typeof steps) =>
    Object.fromEntries(of.map(({ name, total_line_count }) => [name, total_line_count]))
  assert.deepEqual(totals(steps), { outer: 10, Both: 6, First: 3, Second: 3, Nested: 2, Last: 2 })
  const half = (await tree('half')).steps
  assert.deepEqual(totals(half), { outer: 5, Both: 3, First: 3, Second: 0, Nested: 2, Last: 0 })
  assert.deepEqual(half.find(({ name }) => name === 'Second')?.['changes'], [])
  assert.deepEqual(
    half.find(({ name }) => name === 'First')?.['changes'],
    steps.find(({ name }) => name === 'First')?.['changes'],
  )
  assert.equal(totals((await tree('without')).steps)['Both'], 0)
  assert.equal((await tree('stranger')).answer.status, 404)
})

test('matches in the log of a run say in which log of its steps they are, and where', async () => {
  const id = await began(admin, 'outer')
  for (const step of ['Inside', 'Last']) await open(await talkingStep(id, step))
  await runEnded(admin, id)
  const logs = new Map<string, string[]>()
  for (const { id: step, attributes } of await stepsOfRun(admin, id))
    if (['First', 'Second', 'Nested', 'Last'].includes(attributes.name))
      logs.set(step, await linesOfLog(admin, `/api/workflow_steps/${step}/log`))
  const whole = await linesOfLog(admin, `/api/workflow_runs/${id}/log`)
  for (const query of ['query=quick', 'query=on', 'regexp=.']) {
    const { body } = await admin.get(`/api/workflow_runs/${id}/log/matches?${query}`)
    const { matches } = body.data.attributes
    assert.ok(matches.length > 0)
    for (const { line, workflow_step_id: step, workflow_step_line: at } of matches)
      assert.equal(logs.get(step)?.[at], whole[line], `${query}: line ${line}`)
    const places = new Set(
      matches.map((each: Record<string, unknown>) => `${each['workflow_step_id']} ${each['workflow_step_line']}`),
    )
    assert.equal(places.size, matches.length)
  }
  const [step] = logs.keys()
  const ofStep = (await admin.get(`/api/workflow_steps/${step}/log/matches?query=quick+2`)).body.data.attributes.matches
  assert.deepEqual(
    ofStep.map((each: Record<string, unknown>) => [each['line'], each['workflow_step_id'], each['workflow_step_line']]),
    [[1, step, 1]],
  )
})

test('the log of a change and of one step are followed alike', async () => {
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'quick' }))
  const step = await stepAtWhenThere(id, 'quick')
  for (const path of [`/api/changes/${id}/log`, `/api/steps/${step}/log`]) {
    const messages = await (await liveOf(`${path}/live`)).ended()
    assert.deepEqual(texts(messages), ['quick 1', 'quick 2', 'quick 3'])
    await assertPlaced(messages, admin, path)
  }
})

test('a number of lines beyond the limit, and logs of other records, are refused', async () => {
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'quick' }))
  assert.equal((await liveOf(`/api/changes/${id}/log/live?tail=10001`)).status, 400)
  assert.equal((await liveOf(`/api/changes/${id}/log/live?tail=some`)).status, 400)
  assert.equal((await liveOf(`/api/workflow_runs/${id}/log/live`)).status, 404)
})
