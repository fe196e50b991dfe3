import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, eventsOf, linesOf, ran, type Shop, shop, stepsOf } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { follow, type LiveMessage, linesIn, recordsIn, stepsIn } from '../support/live-client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runStepWhen } from '../support/workflows.ts'

const files = (gates: string) => ({
  'web/actions.yaml': `
actions:
  deploy: { steps: [stop, { name: Install, run_as: parallel, steps: [app, database] }, start] }
  stop: { run: echo stopped }
  app: { run: echo installed; echo badly >&2 }
  database: { run: "true" }
  start: { run: echo started }
  many:
    run: |
      seq 1 5000
      until [ -e ${gates}/many ]; do sleep 0.05; done
      seq 5001 10000
  plenty:
    run: |
      seq 1 5000
      until [ -e ${gates}/plenty ]; do sleep 0.05; done
      seq 5001 10000
  at-once: { steps: [{ name: Both, run_as: parallel, steps: [left, right] }] }
  left: { run: 'for i in 1 2 3; do seq -f "left %.0f" 1000; sleep 0.05; done' }
  right: { run: 'for i in 1 2 3; do seq -f "right %.0f" 1000; sleep 0.05; done' }
  wait:
    run: until [ -e ${gates}/go ]; do sleep 0.05; done
  rest:
    run: touch ${gates}/resting; until [ -e ${gates}/on ]; do sleep 0.05; done; echo on
  around: { steps: [stop, halt, start] }
  chain: { steps: [first, second, third] }
  first: { run: 'echo one; until [ -e ${gates}/$SLUICE_STEP_ID ]; do sleep 0.02; done; echo one over' }
  second: { run: 'echo two; until [ -e ${gates}/$SLUICE_STEP_ID ]; do sleep 0.02; done' }
  third: { run: 'until [ -e ${gates}/$SLUICE_STEP_ID ]; do sleep 0.02; done; echo three' }
  halt:
    run: touch ${gates}/halted; until [ -e ${gates}/further ]; do sleep 0.05; done
`,
})

let service: TestService
let gates: Gates
let admin: Client
let made: Shop

before(async () => {
  gates = await newGates()
  service = await startTestService({ users: { reader: [{ path: '/projects/shop', read: true }], stranger: [] } })
  admin = service.as('admin')
  made = await shop(service, files(gates.folder))
})
after(async () => {
  await service.stop()
  await gates.remove()
})

const begun = async (action: string) => (await created(admin.post(`${made.asset}/changes`, { action }))).id
const liveOf = (id: string, asked = {}) => follow(service.address, `/api/changes/${id}/live`, asked)
const isIn = (messages: readonly LiveMessage[], told: string) => stepsIn(messages).some(each => String(each) === told)
const numberless = (messages: readonly LiveMessage[]) => linesIn(messages).map(({ attributes }) => attributes.message)
const numbers = (messages: readonly LiveMessage[]) =>
  linesIn(messages).map(({ attributes }) => Number(attributes.message))
const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)

test('a change that is followed tells its steps, lines and events as lists show them, and then ends', async () => {
  const id = await begun('deploy')
  const stream = await liveOf(id)
  assert.equal(stream.status, 200)
  assert.equal(stream.headers.get('content-type'), 'text/event-stream')
  const messages = await stream.ended()
  assert.equal(messages.at(-1)?.kind, 'end')

  const ids = new Set(recordsIn(messages, 'step').map(step => step.id))
  const last = [...ids].map(step => recordsIn(messages, 'step').findLast(each => each.id === step))
  const listed = (await admin.get(`/api/changes/${id}/steps`)).body.data
  assert.deepEqual(
    last.toSorted((a, b) => (a.attributes.tree_order < b.attributes.tree_order ? -1 : 1)),
    listed,
  )
  assert.deepEqual(recordsIn(messages, 'event'), await eventsOf(admin, id))
  const all = (await admin.get(`/api/changes?filter[id_eq]=${id}`)).body.data
  assert.deepEqual(recordsIn(messages, 'change').slice(-1), all)
  const lines = recordsIn(messages, 'log_lines').flat()
  assert.deepEqual(
    lines.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    (await linesOf(admin, `/api/changes/${id}`)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
})

test('a step ends behind its lines, and the change behind all of them', async () => {
  const id = await begun('deploy')
  const messages = await (await liveOf(id)).ended()
  for (const step of await stepsOf(admin, id)) {
    const end = messages.findIndex(
      ({ kind, data }) => kind === 'step' && data.data.id === step.id && data.data.attributes.finished_at,
    )
    const behind = messages.slice(end).flatMap(({ kind, data }) => (kind === 'log_lines' ? data.data : []))
    assert.deepEqual(
      behind.filter(line => line.attributes.step_id === step.id),
      [],
      step.attributes.full_path,
    )
  }
  const end = messages.findIndex(({ kind, data }) => kind === 'change' && data.data.attributes.finished_at)
  const behind = messages.slice(end + 1).filter(({ kind }) => kind !== 'event')
  assert.deepEqual(
    behind.map(({ kind }) => kind),
    ['end'],
  )
})

test('who comes late is told all that has been, and who has the end is sent nothing', async () => {
  const { id } = await ran(admin, made.asset, 'deploy')
  const stream = await liveOf(id)
  const messages = await stream.ended()
  assert.deepEqual(new Set(stepsIn(messages).map(([, status]) => status)), new Set(['success']))
  assert.deepEqual(linesIn(messages).length, 4)
  const again = await liveOf(id, { lastEventId: stream.lastId })
  assert.equal(again.status, 204)
})

test('without log lines the steps and events come as ever', async () => {
  const { id } = await ran(admin, made.asset, 'deploy')
  const messages = await (await follow(service.address, `/api/changes/${id}/live?log_lines=false`)).ended()
  assert.deepEqual(recordsIn(messages, 'log_lines'), [])
  assert.deepEqual(stepsIn(messages).length, 6)
})

test('a stream that asks for the last lines begins with them, and each line says where it belongs', async () => {
  const id = await begun('plenty')
  const whole = await liveOf(id)
  await whole.until(messages => numbers(messages).length === 5_000)
  const [stream, fresh] = await Promise.all(
    [12, 0].map(count => follow(service.address, `/api/changes/${id}/live?log_lines=${count}`)),
  )
  await stream!.until(messages => numbers(messages).length === 12)
  await fresh!.until(messages => messages.some(({ kind }) => kind === 'step'))
  const [said] = stream!.messages.filter(({ kind }) => kind === 'log_lines')
  assert.deepEqual(said!.data.meta, { step_line: 4_988, line: 4_988, line_count: 5_000 })
  await gates.open('plenty')
  assert.deepEqual(numbers(await stream!.ended()), upTo(10_000).slice(4_988))
  assert.deepEqual(numbers(await fresh!.ended()), upTo(10_000).slice(5_000))
  assert.deepEqual(numbers(await whole.ended()), upTo(10_000))
  for (const { messages } of [stream!, fresh!, whole])
    for (const { kind, data } of messages) {
      if (kind !== 'log_lines') continue
      const first = Number(data.data[0].attributes.message) - 1
      assert.deepEqual(data.meta, { step_line: first, line: first, line_count: first + data.data.length })
    }
})

test('the last lines of steps that ran in parallel are those of the list, over any number of reconnects', async () => {
  const { id } = await ran(admin, made.asset, 'at-once')
  const all = (await linesOf(admin, `/api/changes/${id}`)).map(({ attributes }) => attributes.message)
  assert.equal(all.length, 6_000)
  const came: LiveMessage[] = []
  for (let lastEventId: string | undefined; ; ) {
    const stream = await follow(service.address, `/api/changes/${id}/live?log_lines=5500`, { lastEventId })
    if (stream.status === 204) break
    const marked = () => stream.messages.filter(message => message.id !== undefined)
    await stream.until(messages => marked().length >= 40 || messages.at(-1)?.kind === 'end')
    stream.close()
    const cut = marked().slice(0, 40).at(-1)!
    came.push(...stream.messages.slice(0, stream.messages.indexOf(cut) + 1))
    lastEventId = cut.id
  }
  assert.deepEqual(numberless(came), all.slice(500))
  const places = came.filter(({ kind }) => kind === 'log_lines').map(({ data }) => data)
  let next = 500
  for (const { data, meta } of places) {
    assert.deepEqual([meta.line, meta.line_count], [next, next + data.length])
    next += data.length
  }
})

test('a number of log lines beyond the limit is refused', async () => {
  const { id } = await ran(admin, made.asset, 'stop')
  for (const asked of ['10001', '-1', 'some']) {
    const { status, body } = await admin.get(`/api/changes/${id}/live?log_lines=${asked}`)
    assert.equal(status, 400, asked)
    assert.deepEqual(body.errors[0].source, { parameter: 'log_lines' })
  }
})

for (const asked of ['', '?log_lines=false'])
  test(`the end of a step is told while the next one runs, and before that begins${asked && ', without log lines too'}`, async () => {
    const activities = await follow(service.address, '/api/activities/live')
    try {
      for (let times = 0; times < 5; times += 1) {
        const id = await begun('chain')
        const stream = await follow(service.address, `/api/changes/${id}/live${asked}`)
        const lets = async (name: string) => {
          await stream.until(messages => isIn(messages, `${name},running`))
          const step = recordsIn(stream.messages, 'step').find(each => each.attributes.full_path === name)
          await gates.open(step.id)
        }
        for (const [step, next] of [
          ['chain/first', 'chain/second'],
          ['chain/second', 'chain/third'],
        ] as const) {
          await lets(step)
          // The next one does not end before this end has been sent: nothing else happens meanwhile.
          await stream.until(messages => isIn(messages, `${step},success`) && isIn(messages, `${next},running`))
          const told = stepsIn(stream.messages).map(String)
          assert.ok(told.indexOf(`${step},success`) < told.indexOf(`${next},running`), told.join(' '))
        }
        await lets('chain/third')
        const told = stepsIn(await stream.ended()).map(String)
        assert.deepEqual(told.slice(-2), ['chain/third,success', 'chain,success'])
        await activities.until(messages =>
          messages.some(({ data }) => data.data.id === id && data.data.attributes.status_code === 'success'),
        )
      }
    } finally {
      activities.close()
    }
  })

test('of 10,000 lines none is lost or repeated over any number of reconnects', async () => {
  const id = await begun('many')
  const came: LiveMessage[] = []
  let lastEventId: string | undefined
  for (let times = 0; ; times++) {
    const stream = await liveOf(id, { lastEventId })
    if (stream.status === 204) break
    if (times === 2) await gates.open('many')
    const marked = () => stream.messages.filter(message => message.id !== undefined)
    await stream.until(messages => marked().length >= 2 || messages.at(-1)?.kind === 'end')
    stream.close()
    // Messages that a client had read when it was disconnected: in the middle of a page as well as at its end.
    const cut = marked().slice(0, 2).at(-1)!
    came.push(...stream.messages.slice(0, stream.messages.indexOf(cut) + 1))
    lastEventId = cut.id
  }
  assert.deepEqual(numbers(came), upTo(10_000))
  assert.deepEqual(recordsIn(came, 'event'), await eventsOf(admin, id))
  assert.deepEqual(stepsIn(came).at(-1), ['many', 'success'])
})

test('a change that runs in another process is followed through this one, and taken up again there', async () => {
  const other = await service.beside('api')
  try {
    const id = await begun('rest')
    await gates.reached('resting')
    const here = await liveOf(id)
    const there = await follow(other.address, `/api/changes/${id}/live`)
    for (const stream of [here, there])
      await stream.until(messages => stepsIn(messages).some(([, status]) => status === 'running'))
    here.close()
    const again = await follow(other.address, `/api/changes/${id}/live`, { lastEventId: here.lastId })
    await gates.open('on')
    const before = recordsIn(here.messages, 'event')
    const events = await (async () => {
      const messages = await there.ended()
      assert.deepEqual(numberless(messages), ['on'])
      return recordsIn(messages, 'event')
    })()
    assert.deepEqual([...before, ...recordsIn(await again.ended(), 'event')], events)
    assert.deepEqual(numberless(again.messages), ['on'])
  } finally {
    await other.stop({ keepRunners: true })
  }
})

test('whoever may not read the change is told that there is none, as of one that never was', async () => {
  const { id } = await ran(admin, made.asset, 'deploy')
  const hidden = await service.as('stranger').get(`/api/changes/${id}/live`)
  const nothing = await service.as('stranger').get('/api/changes/01900000-0000-7000-8000-00000000dead/live')
  assert.equal(hidden.status, 404)
  const plain = ({ body }: typeof hidden) => body.errors.map((error: object) => ({ ...error, id: undefined }))
  assert.deepEqual(plain(hidden), plain(nothing))
  assert.equal((await service.stranger.get('/api/events/live')).status, 401)
})

test('an id that was not given for this stream is refused in words', async () => {
  const [one, other] = [await ran(admin, made.asset, 'deploy'), await ran(admin, made.asset, 'deploy')]
  const stream = await liveOf(one.id)
  await stream.ended()
  for (const id of ['1', 'x'.repeat(200), stream.lastId!]) {
    const refused = await admin.get(`/api/changes/${other.id}/live`, { 'last-event-id': id })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 'wrong-header'])
  }
  const wrong = await admin.get(`/api/changes/${one.id}/live`, { accept: 'application/vnd.api+json' })
  assert.equal(wrong.status, 406)
  const head = await admin.send('HEAD', `/api/changes/${one.id}/live`)
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream'])
})

test('a right that is taken away ends the stream, and so does a revoked token', async () => {
  await service.addUser('guest', [{ path: '/projects/shop', read: true }])
  const expires_at = '2099-01-01T00:00:00Z'
  const made = await service.as('reader').post('/api/tokens', { description: 'screen', expires_at })
  const token = made.body.meta.token
  const id = await begun('wait')
  const guest = await liveOf(id, { username: 'guest' })
  const screen = await follow(service.address, '/api/events/live', { authorization: `Bearer ${token}` })
  const steady = await liveOf(id, { username: 'reader' })
  const { body } = await admin.get('/api/authorisation_policies?filter[name_eq]=what%20guest%20may%20do')
  assert.equal((await admin.delete(`/api/authorisation_policies/${body.data[0].id}`)).status, 204)
  assert.equal((await service.as('reader').delete(`/api/tokens/${made.body.data.id}`)).status, 204)
  await Promise.all([guest.ended(), screen.ended()])
  assert.deepEqual(
    [guest, screen].flatMap(({ messages }) => messages.filter(({ kind }) => kind === 'end')),
    [],
  )
  assert.equal((await liveOf(id, { username: 'guest' })).status, 404)
  await gates.open('go')
  assert.equal((await steady.ended()).at(-1)?.kind, 'end')
})

test('new events come in the order of their seals, none left out over a reconnect, and only to who may read them', async () => {
  const stream = await follow(service.address, '/api/events/live')
  const reader = await follow(service.address, '/api/events/live', { username: 'stranger' })
  const { id } = await ran(admin, made.asset, 'deploy')
  const isOf = (change: string) => (message: LiveMessage) => message.data.data.attributes.source_id === change
  await stream.until(messages => messages.some(isOf(id)))
  stream.close()
  const last = stream.messages[0]!
  const again = await follow(service.address, '/api/events/live', { lastEventId: last.id })
  const ends = (messages: readonly LiveMessage[]) =>
    messages.some(message => isOf(id)(message) && message.data.data.attributes.type === 'api:changes:success')
  await again.until(ends)
  again.close()
  const came = [last, ...again.messages].map(({ data }) => data.data)
  assert.deepEqual(
    came.map(event => event.id),
    [...new Set(came.map(event => event.id))],
  )
  const listed = await eventsOf(admin, id)
  const ofChange = new Set(listed.map(event => event.id))
  assert.deepEqual(
    came.filter(event => ofChange.has(event.id)),
    listed,
  )
  assert.deepEqual(reader.messages, [])
  reader.close()
})

test('activities tell where each change has come to, without a word of those that the caller may not read', async () => {
  const stream = await follow(service.address, '/api/activities/live', { username: 'reader' })
  const stranger = await follow(service.address, '/api/activities/live', { username: 'stranger' })
  const { id } = await ran(admin, made.asset, 'deploy')
  const statuses = (messages: readonly LiveMessage[]) =>
    recordsIn(messages, 'change')
      .filter(change => change.id === id)
      .map(({ attributes }) => attributes.status_code)
  await stream.until(messages => statuses(messages).includes('success'))
  assert.equal(statuses(stream.messages).at(-1), 'success')
  const shown = (await service.as('reader').get(`/api/changes?filter[id_eq]=${id}`)).body.data
  assert.deepEqual(
    recordsIn(stream.messages, 'change')
      .filter(change => change.id === id)
      .slice(-1),
    shown,
  )
  assert.deepEqual(stranger.messages, [])
  stream.close()
  stranger.close()
})

test('activities tell of workflow runs too', async () => {
  const target = 'environments/live/assets/front'
  await published(admin, 'release', `steps: [{ target: ${target}, action: deploy }, { type: wait, name: look }]`)
  const stream = await follow(service.address, '/api/activities/live', { username: 'reader' })
  const id = await began(admin, 'release')
  const statuses = (messages: readonly LiveMessage[]) =>
    recordsIn(messages, 'workflow_run')
      .filter(run => run.id === id)
      .map(({ attributes }) => attributes.status_code)
  await stream.until(messages => statuses(messages).includes('waiting'))
  const look = await runStepWhen(admin, id, 'look', 'waiting')
  assert.equal((await admin.post(`/api/workflow_steps/${look.id}/continue`, {})).status, 200)
  await stream.until(messages => statuses(messages).includes('success'))
  assert.ok(recordsIn(stream.messages, 'change').length > 0, 'and of what they make')
  stream.close()
})

test('what holds a pending change back is not told by its stream', async () => {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const modeIs = async (maintenance_mode: string) => {
    const path = `/api/settings/${relationships.settings.data.id}`
    assert.equal((await admin.patch(path, { data: { maintenance_mode } })).status, 200)
  }
  await modeIs('enabled')
  const id = await begun('deploy')
  const stream = await liveOf(id)
  await stream.until(messages => recordsIn(messages, 'change').at(-1)?.attributes.status_code === 'pending')
  const pending = recordsIn(stream.messages, 'change').at(-1)
  assert.deepEqual(pending, (await admin.get(`/api/changes?filter[id_eq]=${id}`)).body.data[0])
  await modeIs('disabled')
  const messages = await stream.ended()
  assert.deepEqual(
    recordsIn(messages, 'change')
      .map(({ attributes }) => attributes.status_code)
      .filter(status => status !== 'initializing'),
    ['pending', 'running', 'success'],
  )
})

test('a change is told to its end although the clock was set back, to those who follow it and those who come afterwards', async () => {
  const id = await begun('around')
  const reached = (messages: readonly LiveMessage[]) => new Map(stepsIn(messages))
  const isStopped = (messages: readonly LiveMessage[]) => reached(messages).get('around/stop') === 'success'
  const stream = await liveOf(id)
  await stream.until(isStopped)
  await gates.reached('halted')
  // After a clock was set back by an hour: earlier rows have times in the future.
  const { database } = service
  await database.count(sql`
    update steps set updated_at = updated_at + interval '1 hour' where activity_id = ${id}::uuid`)
  const early = await liveOf(id)
  await early.until(isStopped)
  const begunAt = (messages: readonly LiveMessage[]) => recordsIn(messages, 'change').at(-1)?.attributes.started_at
  const before = begunAt(stream.messages)
  await database.count(sql`
    update activities set started_at = started_at + interval '1 hour', updated_at = updated_at + interval '1 hour'
     where id = ${id}::uuid`)
  await stream.until(messages => begunAt(messages) !== before)
  await gates.open('further')
  const all = [await stream.ended(), await early.ended(), await (await liveOf(id)).ended()]
  const became = (await stepsOf(admin, id)).map(({ attributes }) => [attributes.full_path, attributes.status_code])
  for (const messages of all) assert.deepEqual([...reached(messages)].sort(), became.toSorted())
})

test('a user has so many streams in one process, and others have theirs', async () => {
  const streams = await Promise.all(Array.from({ length: 32 }, () => follow(service.address, '/api/events/live')))
  assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]))
  const refused = await admin.get('/api/events/live')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10'])
  const other = await follow(service.address, '/api/events/live', { username: 'reader' })
  assert.equal(other.status, 200)
  for (const stream of [...streams, other]) stream.close()
})

test('a service that stops ends its streams first, and what it was following is taken up again when it is back', async () => {
  const id = await begun('many')
  const stream = await liveOf(id)
  await stream.until(messages => linesIn(messages).length > 0)
  const idle = await follow(service.address, '/api/events/live')
  const stopped = service.halt({ keepRunners: true })
  await Promise.all([stream.ended(), idle.ended()])
  await stopped
  assert.deepEqual(
    stream.messages.filter(({ kind }) => kind === 'end'),
    [],
  )
  await service.startAgain()
  const again = await liveOf(id, { lastEventId: stream.lastId })
  const all = [...stream.messages, ...(await again.ended())]
  assert.deepEqual(numbers(all), upTo(10_000))
})
