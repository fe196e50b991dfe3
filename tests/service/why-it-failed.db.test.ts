import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { eventsOf, linesOf, ran, type Shop, type Shown, shop, stepAt } from '../support/changes.ts'
import { follow, recordsIn } from '../support/live-client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded } from '../support/workflows.ts'

const actions = `
actions:
  deploy: { steps: [fine, { name: Install, run_as: parallel, steps: [fine, bad] }, never] }
  fine: { run: "true" }
  bad: { run: exit 7 }
  never: { run: "true" }
  around: { steps: [{ name: Try, ignore_failure: true, steps: [bad] }, missing] }
  missing: { run: no-such-program --now }
  forbidden: { run: ./notes.txt, shell: bash }
  pipe: { run: yes | head -1 }
  killed: { run: bash -c 'kill -9 $$'; exit $? }
  asks: { run: read -r answer }
  checked: { needs: [first], env: { DATA: "{{ data }}" }, run: echo began }
  first: { run: echo prerequisite }
  wordy: { needs: [first], env: { GIVEN: "{{ given }}" }, run: echo began }
`

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': actions, 'web/notes.txt': 'no program\n' })
})
after(() => service.stop())

const failedAs = async (action: string, more: object = {}): Promise<string> => {
  const { attributes } = await ran(admin, made.asset, action, more)
  assert.equal(attributes.status_code, 'error')
  return attributes.error_message
}

test('a change that failed names the first step that did and its reason, wherever it is shown', async () => {
  const why = 'Step "deploy/Install/bad" failed: exit code 7'
  const { id, attributes } = await ran(admin, made.asset, 'deploy')
  assert.equal(attributes.error_message, why)
  const [listed] = (await admin.get(`/api/changes?filter[id_eq]=${id}`)).body.data as Shown[]
  assert.equal(listed!.attributes.error_message, why)
  const [found] = (await admin.get(`/api/activities?filter[error_message_cont]=Install/bad`)).body.data as Shown[]
  assert.deepEqual([found!.id, found!.attributes.error_message], [id, why])
  const { text } = await admin.get(`/api/changes?download=x.csv&filter[id_eq]=${id}`)
  assert.ok(text.includes(why.replaceAll('"', '""')), text)
  const events = await eventsOf(admin, id)
  const error = events.find(({ attributes: { type } }) => type === 'api:changes:error')
  assert.equal(error?.attributes.error, why)
  const messages = await (await follow(service.address, `/api/changes/${id}/live`)).ended()
  assert.equal(recordsIn(messages, 'change').at(-1).attributes.error_message, why)
})

test('what failed and was ignored is not why a change failed, and one that succeeded says nothing', async () => {
  assert.match(await failedAs('around'), /^Step "around\/missing" failed: exit code 127: a command was not found/)
  assert.equal((await ran(admin, made.asset, 'fine')).attributes.error_message, null)
})

test('a run that failed names its step, the change that this made, and why that failed', async () => {
  await published(admin, 'release', 'steps: [{ target: environments/live/assets/front, action: bad, name: one }]\n')
  const run = await runEnded(admin, await began(admin, 'release'))
  const [change] = (await admin.get('/api/changes?filter[action_eq]=bad&limit=1')).body.data as Shown[]
  assert.equal(
    run.attributes.error_message,
    `Step "release/one" failed: The change ${change!.id} ended in error: Step "bad" failed: exit code 7`,
  )
  const { body } = await admin.get(
    `/api/events?filter[for_workflow_run]=${run.id}&filter[type_eq]=api:workflow_runs:error`,
  )
  assert.equal(body.data[0].attributes.error, run.attributes.error_message)
})

test('exit codes that people misread say what they mean, of the step and of the change', async () => {
  assert.match(await failedAs('forbidden'), /exit code 126: .*chmod \+x/)
  assert.match(await failedAs('pipe'), /exit code 141: .*SIGPIPE/)
  assert.match(await failedAs('killed'), /exit code 137: .*SIGKILL/)
  assert.match(await failedAs('asks'), /exit code 1: .*"read".*no input/)
})

test('a value that no program can be given is named before anything of its step begins', async () => {
  const { id, attributes } = await ran(admin, made.asset, 'checked', {
    property_overrides: { data: 'secret-looking '.repeat(10_000) },
  })
  assert.match(attributes.error_message, /^Step "checked" failed: DATA has 150000 bytes in the environment: .*128 KiB/)
  assert.doesNotMatch(attributes.error_message, /secret-looking/)
  const lines = (await linesOf(admin, `/api/changes/${id}`)).map(line => line.attributes.message)
  assert.ok(!lines.includes('prerequisite'), lines.join('\n'))
  assert.ok(
    lines.some(line => line.startsWith('DATA has 150000 bytes')),
    lines.join('\n'),
  )
  assert.equal((await stepAt(admin, id, 'checked')).attributes.exit_code, null)
  // One byte less than the limit.
  const longest = 131_072 - 'GIVEN='.length - 1
  const given = await ran(admin, made.asset, 'wordy', { property_overrides: { given: 'x'.repeat(longest) } })
  assert.equal(given.attributes.status_code, 'success', given.attributes.error_message)
})
