import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { until } from '../../client/sluice.ts'
import { fromJson } from '../../json/from-json.ts'
import { basicOf } from '../support/api.ts'
import { changeWhen, ended, shop } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { follow } from '../support/live-client.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'
import { type CommandLine, newCommandLine, type RunOptions, runProgram, seen } from './command-line.ts'
import { completedByZsh } from './zsh.ts'

const actions = `
actions:
  release:
    description: Two steps
    steps: [prepare, publish]
  prepare:
    description: x
    env: { GREETING: "{{ greeting }}" }
    run: echo "prepared, $GREETING"
  publish:
    description: x
    run: |
      printf 'out\\033[2J\\033[32mgreen\\n'
      echo problem >&2
  asks:
    description: Waits for people
    steps:
      - { input: Say what, arguments: [{ name: version, type: integer, path: /release }] }
      - { wait: Go live, approvers: { user_names: [admin] } }
  signed: { description: x, steps: [{ wait: Sign, approvers: { user_names: [quinn] } }] }
  fail: { description: x, run: "echo before; exit 7" }
  held:
    description: Waits at the gate that the change names
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
      echo through the gate
`
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences that redraw a tree
const drawnOver = /\x1b\[\d+A\x1b\[J/
const web = '/projects/shop/environments/live/assets/front'

let service: TestService
let gates: Gates
let cli: CommandLine

before(async () => {
  service = await startTestService({ users: { quinn: [{ path: '/projects/shop', read: true }] } })
  gates = await newGates()
  await shop(service, { 'web/actions.yaml': actions, 'web/defaults.yaml': 'greeting: hello\n' })
  const login = { description: 'cli', expires_at: '2099-01-01T00:00:00Z' }
  const made = await service.as('admin').post('/api/tokens', login)
  cli = await newCommandLine({ SLUICE_URL: service.address, SLUICE_TOKEN: made.body.meta.token })
})
after(async () => {
  await service.stop()
  await gates.remove()
  await cli.remove()
})

const sluice = (line: string, options?: RunOptions) => cli.run(line.split(' '), options)
const atGate = (name: string) => `changes create ${web} held --property gates=${gates.folder} --property name=${name}`

test('who lists the assets of a project sees those of its environments', async () => {
  for (const place of ['shop', '/projects/shop', '/projects/shop/environments/live'])
    assert.match((await sluice(`list assets ${place}`)).stdout, /^front /m, place)
  assert.match((await sluice('list assets shop --here')).stderr, /No assets found/)
})

test('without waiting the command prints the id of the change', async () => {
  const { status, stdout } = await sluice(`changes create ${web} release`)
  assert.equal(status, 0)
  const change = await ended(service.as('admin'), stdout.trim())
  assert.equal(change.attributes.status_code, 'success')
})

test('in a pipe every transition and every line is a line, and success is 0', async () => {
  const { status, stdout } = await sluice(
    `changes create ${web} release --show-steps --show-logs --property greeting=hey`,
  )
  assert.equal(status, 0)
  const lines = stdout.trimEnd().split('\n')
  const place = (line: RegExp) => {
    const found = lines.findIndex(each => line.test(each))
    assert.notEqual(found, -1, `${line} in\n${stdout}`)
    return found
  }
  assert.ok(place(/^prepare \| prepared, hey$/) < place(/^ {2}✔ prepare {2}success, \d+\.\d s$/))
  assert.ok(place(/^publish \| problem$/) < place(/^ {2}✔ publish {2}success/))
  assert.ok(place(/^ {2}✔ publish/) < place(/^✔ release {2}success/))
  assert.match(lines.at(-1)!, /^Change \S+ \(release\) ended: success$/)
})

test('a reader that stops reading makes no success of what is not known to be one', async () => {
  const unread = (line: string) =>
    runProgram('bash', ['-c', 'set -o pipefail; "$0" "$@" | true', process.execPath, cli.program, ...line.split(' ')], {
      cwd: cli.folder,
      env: cli.env,
    })
  assert.equal((await unread(`changes create ${web} fail --show-logs`)).status, 141)
  const { stdout: id } = await sluice(atGate('unread'))
  await gates.reached('unread-began')
  assert.notEqual((await unread('drain')).status, 0)
  await gates.open('unread')
  assert.equal((await ended(service.as('admin'), id.trim())).attributes.status_code, 'success')
  // Only the output of the list itself was to be shown.
  assert.equal((await unread('list changes')).status, 0)
})

test('who stops reading what is said besides still gets what was asked for', async () => {
  const line = `changes create ${web} release --show-logs --property greeting=hey -o json`
  const words = ['-c', '"$0" "$@" 2> >(true)', process.execPath, cli.program, ...line.split(' ')]
  const { status, stdout } = await runProgram('bash', words, { cwd: cli.folder, env: cli.env })
  assert.equal(status, 0)
  assert.equal(fromJson<{ attributes: { status_code: string } }>(stdout).attributes.status_code, 'success')
})

test('what a step prints reaches the terminal without control sequences, in its colours', async () => {
  const { stdout } = await sluice(`changes create ${web} publish --show-logs`)
  assert.ok(stdout.includes('publish | out\x1b[32mgreen\x1b[0m\n'), stdout)
  const without = await sluice(`changes create ${web} publish --show-logs`, { env: { NO_COLOR: '1' } })
  assert.match(without.stdout, /^publish \| outgreen$/m)
})

test('whoever waits is told why a change has not begun', async () => {
  const admin = service.as('admin')
  const settings = (await admin.get('/api/system_configuration')).body.data.relationships.settings.links.related
  const modeIs = (maintenance_mode: string | null) => admin.patch(settings, { data: { maintenance_mode } })
  await modeIs('enabled')
  const { status, stdout } = await sluice(`changes create ${web} release --wait`, {
    terminal: true,
    meanwhile: async running => {
      await seen(running, 'Waiting: maintenance mode is on, enabled by admin').finally(() => modeIs(null))
    },
  })
  assert.equal(status, 0, stdout)
  assert.equal(stdout.match(/Waiting:/g)!.length, 1)
})

test('a change that fails ends with 1 and says why, at its end and wherever it is shown', async () => {
  const { status, stdout } = await sluice(`changes create ${web} fail --show-steps`)
  assert.equal(status, 1)
  assert.match(stdout, /^✘ fail {2}error, \d+\.\d s, exit code 7$/m)
  assert.match(stdout, /^Change \S+ \(fail\) ended: error, Step "fail" failed: exit code 7$/m)
  const id = /^Change (\S+)/m.exec(stdout)![1]
  assert.match((await sluice(`changes show ${id}`)).stdout, /^error_message +Step "fail" failed: exit code 7$/m)
})

test('a list of changes says of each its status, action, node, who made it, when, and how long it took', async () => {
  const { stdout } = await sluice('changes list --filter action_eq=release --limit 1')
  const [head, row] = stdout.split('\n')
  assert.match(head!, /^STATUS +ACTION +NODE +WHO +WHEN +DURATION +ID$/)
  assert.match(
    row!,
    new RegExp(`^success +release +${web} +admin +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d +\\d+\\.\\ds +\\S{36}$`),
  )
  const csv = await sluice('changes list --filter action_eq=release --limit 1 -o csv')
  const [names, values] = csv.stdout.split('\n').map(line => line.split(','))
  assert.equal(values![names!.indexOf('node_path')], web)
  const under = await sluice('changes list --filter under=/projects/shop --columns node_path --limit 1')
  assert.equal(under.stdout, `NODE_PATH\n${web}\n`)
})

test('as JSON the output is the change as it ended, and people watch on the other stream', async () => {
  const { status, stdout, stderr } = await sluice(`changes create ${web} release --show-steps -o json`)
  assert.equal(status, 0)
  assert.equal(JSON.parse(stdout).attributes.status_code, 'success')
  assert.match(stderr, /✔ release {2}success/)
})

test('steps are left out, and what is attached to a change stays with it', async () => {
  const line = `changes create ${web} release --skip release/publish --metadata ticket=T-1 --metadata a.b=2 --wait -o json`
  const { status, stdout } = await sluice(line)
  assert.equal(status, 0)
  const { id, attributes } = JSON.parse(stdout)
  assert.deepEqual(attributes.metadata, { ticket: 'T-1', 'a.b': 2 })
  const steps = await sluice(`changes steps ${id}`)
  assert.match(steps.stdout, /^✔ release .*\n {2}✔ prepare .*\n {2}- publish {2}skipped\n$/)
})

test('logs are read afterwards: of all steps, of one, as CSV', async () => {
  const id = (await sluice(`changes create ${web} release`)).stdout.trim()
  const followed = await sluice(`changes logs ${id} --follow`)
  assert.match(followed.stdout, /^prepare \| prepared, hello$/m)
  assert.equal(followed.status, 0)
  assert.equal((await sluice(`changes logs ${id} --step prepare`)).stdout, 'prepare | prepared, hello\n')
  const csv = (await sluice(`changes logs ${id} --step prepare -o csv`)).stdout
  assert.match(csv, /^id,message,.*\n[^,]+,"prepared, hello",stdout,/)
  assert.equal((await sluice(`changes logs ${id} --step prepare --raw`)).stdout, 'prepared, hello\n')
  assert.match((await sluice(`changes logs ${id} --raw`)).stdout, /^prepared, hello$/m)
  assert.match(
    (await sluice(`changes logs ${id} --raw --follow`)).stderr,
    /--raw cannot be combined with --follow or --output/,
  )
  assert.equal((await sluice(`changes logs ${id} --tail 1`)).stdout, 'publish | problem\n')
  assert.equal((await sluice(`changes logs ${id} --tail 5 --step prepare --raw`)).stdout, 'prepared, hello\n')
  assert.match((await sluice(`changes logs ${id} --tail 0`)).stderr, /--tail should be a number from 1 to 10000/)
  assert.match((await sluice(`changes logs ${id} --tail 1 -o csv`)).stderr, /--tail cannot be combined/)
  const unknown = await sluice(`changes logs ${id} --step nowhere`)
  assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
  assert.match(unknown.stderr, /no step "nowhere"\. Its steps are:\n {2}release\n {2}release\/prepare/)
})

test('the log of a change that never had steps says why', async () => {
  const from = { action: 'release', git_remote_name: 'code', git_rev: 'nowhere' }
  const { body } = await service.as('admin').post('/api/projects/shop/environments/live/changes', from)
  await ended(service.as('admin'), body.data.id)
  const { stdout } = await sluice(`changes logs ${body.data.id}`)
  assert.equal(stdout, 'The Git remote code has no revision nowhere.\n')
})

test('over a service that stops and starts again the waiting goes on, and each line is shown once', async () => {
  const waiting = sluice(`${atGate('outlives')} --show-steps --show-logs`)
  await gates.reached('outlives-began')
  await service.halt({ keepRunners: true })
  await gates.open('outlives')
  await service.startAgain()
  const { status, stdout } = await waiting
  assert.equal(status, 0, stdout)
  assert.equal(stdout.match(/^✔ held /gm)?.length, 1, stdout)
  assert.equal(stdout.match(/^held \| through the gate$/gm)?.length, 1, stdout)
})

test('whoever has no live stream left is told of the end all the same', async t => {
  const path = `/api/changes/${(await sluice(`${atGate('crowded')}`)).stdout.trim()}/live`
  const streams = await Promise.all(Array.from({ length: 32 }, () => follow(service.address, path)))
  t.after(() => streams.forEach(({ close }) => void close()))
  const authorization = basicOf('admin', passwordOf('admin'))
  const dialled = await fetch(`${service.address}${path}`, { headers: { authorization, accept: 'text/event-stream' } })
  assert.equal(dialled.status, 429)
  const { status, stdout } = await sluice(`changes create ${web} release --show-steps --show-logs`)
  await gates.open('crowded')
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^prepare \| prepared, hello$[\s\S]*^ {2}✔ prepare [\s\S]*^✔ release /m)
})

test('somebody else cancels: whoever waits ends with 3', async () => {
  const waiting = sluice(`${atGate('cancelled')} --wait`)
  await gates.reached('cancelled-began')
  const [change] = (await service.as('admin').get('/api/changes?filter[active]=true')).body.data
  assert.equal((await sluice(`changes cancel ${change.id} --wait`)).status, 0)
  const { status, stdout } = await waiting
  assert.equal(status, 3)
  assert.match(stdout, /ended: cancelled/)
  const again = await sluice(`changes cancel ${change.id}`)
  assert.equal(again.status, 1)
  assert.match(again.stderr, /ended|finished|cancelled/)
})

test('Ctrl-C in a script ends the waiting with 130; the change goes on', async () => {
  const { status, stderr, stdout } = await cli.run(`${atGate('goes-on')} --wait`.split(' '), {
    meanwhile: async ({ pid }) => {
      await gates.reached('goes-on-began')
      process.kill(pid, 'SIGINT')
    },
  })
  assert.equal(status, 130)
  const id = /changes logs --follow (\S+)/.exec(stderr)?.[1]
  assert.ok(id, stderr)
  assert.match(stdout, /continues: running/)
  await gates.open('goes-on')
  assert.equal((await ended(service.as('admin'), id)).attributes.status_code, 'success')
})

test('Ctrl-C on a terminal asks whether the change is to be cancelled, too', async () => {
  const { status, stdout } = await cli.run(`${atGate('asked')} --show-steps`.split(' '), {
    terminal: true,
    meanwhile: async running => {
      await gates.reached('asked-began')
      running.type('\x03')
      await seen(running, 'Cancel change')
      running.type('y\r')
    },
  })
  assert.equal(status, 130)
  assert.match(stdout, /ended: cancelled/)
  const [change] = (await service.as('admin').get('/api/changes?limit=1')).body.data
  await changeWhen(
    service.as('admin'),
    change.id,
    'is cancelled',
    ({ attributes }) => attributes.status_code === 'cancelled',
  )
})

test('on a terminal the tree is drawn in its place, and log lines scroll above it', async () => {
  const { status, stdout } = await cli.run(`changes create ${web} release --show-steps --show-logs`.split(' '), {
    terminal: true,
  })
  assert.equal(status, 0)
  assert.match(stdout, drawnOver, 'the tree is drawn over itself')
  const screen = drawn(stdout)
  assert.deepEqual(
    screen.filter(line => /✔/.test(line)).map(line => line.replace(/ {2}success.*/, '')),
    ['✔ release', '  ✔ prepare', '  ✔ publish'],
  )
  assert.ok(screen.indexOf('prepare | prepared, hello') < screen.findIndex(line => /✔ release/.test(line)))
})

test('what cannot be run is refused in words', async () => {
  const unknown = await sluice(`changes create ${web} nonsense --wait`)
  assert.equal(unknown.status, 1)
  assert.match(unknown.stderr, /^action: .*nonsense/)
  const nowhere = await sluice('changes create web release')
  assert.equal(nowhere.status, 2)
  assert.match(nowhere.stderr, /Example: \/projects/)
  const missing = await sluice('changes create')
  assert.equal(missing.status, 2)
})

test('events tell who did what to a change', async () => {
  const id = (await sluice(`changes create ${web} release`)).stdout.trim()
  await ended(service.as('admin'), id)
  const { stdout } = await until(
    'the event of its end is listed',
    () => sluice(`events --change ${id}`),
    ({ stdout }) => /api:changes:success/.test(stdout),
    { seconds: 20, pause: 200 },
  )
  assert.match(stdout, /api:changes:create +admin +\/projects\/shop\/environments\/live\/assets\/front/)
})

const completions = async (...words: string[]) =>
  (await cli.run(['complete', '--', ...words])).stdout.split('\n').filter(Boolean)

test('completion knows commands, types, flags, paths of nodes and their actions', async () => {
  assert.deepEqual(await completions('ev'), ['events'])
  assert.deepEqual(await completions('list', 'temp'), ['templates', 'template_versions', 'template_version_histories'])
  assert.deepEqual(await completions('changes', 'create', '--show'), ['--show-steps', '--show-logs'])
  assert.deepEqual(await completions('list', 'changes', '-o', 'y'), ['yaml'])
  assert.deepEqual(await completions('list', 'changes', '--filter', 'act'), ['active', 'active_over', 'action_eq='])
  assert.deepEqual(await completions('create', 'project', 'c'), ['code='])
  assert.deepEqual(await completions('changes', 'create', '/projects/s'), ['/projects/shop', '/projects/shop/'])
  assert.deepEqual(await completions('changes', 'create', `${web.slice(0, -2)}`), [web])
  assert.deepEqual(await completions('changes', 'create', web, 're'), ['release'])
  assert.deepEqual(await completions('show', 'template', '/projects/shop/templates/'), ['/projects/shop/templates/web'])
})

test('bash completes with what the completion script defines', async () => {
  const script = `
    sluice() { ${process.execPath} ${cli.program} "$@"; }
    eval "$(sluice completion bash)"
    COMP_WORDS=(sluice show project /projects/sh) COMP_CWORD=3
    compopt() { :; }
    _sluice
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await runProgram('bash', ['-c', script], { env: cli.env })
  assert.equal(stdout, '/projects/shop\n')
})

test('a tab in zsh completes with what the completion script defines, and goes on behind a path', async () => {
  const start = `sluice() { ${process.execPath} ${cli.program} "$@"; }\neval "$(sluice completion zsh)"`
  const completed = (typed: string) => completedByZsh(typed, start, cli.env)
  assert.equal(await completed('sluice ev'), 'sluice events ')
  assert.equal(await completed('sluice show project /projects/sh'), 'sluice show project /projects/shop ')
  assert.equal(await completed('sluice create project c'), 'sluice create project code=')
})

/** The final screen: of redrawn lines, the last. */
function drawn(written: string): string[] {
  const lines: string[] = []
  for (const piece of written.split(new RegExp(`(${drawnOver.source}|\\r?\\n)`))) {
    const up = drawnOver.test(piece) && /\d+/.exec(piece)
    if (up) lines.splice(Math.max(0, lines.length - Number(up[0])))
    else if (!/^\r?\n$/.test(piece) && piece !== '') lines.push(stripVTControlCharacters(piece))
  }
  return lines
}

test('a change is planned, paused, resumed and retried, and its waiting steps are decided on', async () => {
  const admin = service.as('admin')
  const planned = await sluice(`changes plan ${web} asks --property release.old=1`)
  assert.equal(planned.status, 0, planned.stderr)
  assert.match(planned.stdout, /^ +… Go live {2}waits, 1 approval from /m)
  assert.match(planned.stdout, /^plan_sha: [0-9a-f]{64}/m)
  assert.match((await sluice(`changes plan ${web} asks -o yaml`)).stdout, /step_name: Go live/)
  const first = (await sluice(`changes create ${web} asks`)).stdout.trim()
  const waiting = (id: string, status: string) =>
    changeWhen(admin, id, `is ${status}`, ({ attributes }) => attributes.status_code === status)
  await waiting(first, 'waiting')
  const step = async () => (await admin.get('/api/steps?filter[waiting_for_user]=true')).body.data[0].id as string
  const wrong = await sluice(`steps continue ${await step()} version=two`)
  assert.deepEqual([wrong.status, /version/.test(wrong.stderr)], [1, true])
  assert.equal((await sluice(`changes pause ${first} --reason lunch`)).stdout, `Change ${first} is paused.\n`)
  assert.equal((await sluice(`steps continue ${await step()} version=42`)).stdout, 'asks/Say what: success\n')
  assert.equal((await sluice(`changes resume ${first}`)).status, 0)
  await waiting(first, 'waiting_for_approval')
  assert.equal((await sluice(`steps reject ${await step()} --message no`)).stdout, 'asks/Go live: rejected\n')
  const retry = await sluice(`changes retry ${first} --plan`)
  assert.match(retry.stdout, /^ +✔ Say what {2}asks for input, kept$/m, retry.stderr)
  const sha = /^ *plan_sha: (\S+)$/m.exec(retry.stdout)![1]!
  const differs = await sluice(`changes retry ${first} plan_sha=${sha} --property release.old=2`)
  assert.deepEqual([differs.status, /plan/.test(differs.stderr)], [1, true], differs.stderr)
  const unnamed = await sluice(`changes retry ${first} now`)
  assert.deepEqual([unnamed.status, /"now".*name=value/.test(unnamed.stderr)], [2, true], unnamed.stderr)
  const again = (await sluice(`changes retry ${first} plan_sha=${sha}`)).stdout.trim()
  const { attributes } = await waiting(again, 'waiting_for_approval')
  assert.deepEqual(attributes.property_overrides, { release: { version: 42 } })
  const refused = await sluice(`steps approve ${await step()}`)
  assert.deepEqual([refused.status, /made it yourself/.test(refused.stderr)], [1, true])
  await sluice(`changes cancel ${again} --wait`)
})

test('steps of workflow runs are decided on as those of changes are, and an id of neither is told of once', async () => {
  const admin = service.as('admin')
  const source_yaml = 'steps: [{ type: wait, name: Look }]'
  const made = await admin.post('/api/projects/shop/workflows', {
    code: 'look',
    name: 'Look',
    source_yaml,
    draft: false,
  })
  assert.equal(made.status, 201)
  const run = (await sluice('workflow-runs create shop look')).stdout.trim()
  const waits = `/api/workflow_steps?filter[for_workflow_run]=${run}&filter[status_code_eq]=waiting`
  const waiting = async () => (await admin.get(waits)).body.data as { id: string }[]
  const [step] = await until('the run waits', waiting, ({ length }) => length > 0)
  assert.equal((await sluice(`steps continue ${step!.id}`)).stdout, 'Look/Look: success\n')
  const none = '01a20000-0000-7000-8000-000000000000'
  const missing = await sluice(`steps approve ${none}`)
  const why = `/steps/${none}/approve: There is no such record, or you may not read it.\n`
  assert.deepEqual([missing.status, missing.stderr], [1, why])
})

test('a run that failed is retried, and a file is validated with values as a run takes them', async () => {
  const source = 'steps: [{ targets: "{{at}}", action: release, name: one }]'
  await writeFile(join(cli.folder, 'again.yaml'), source)
  // A list stays a list: as a text it would be the path of nothing.
  const valid = await cli.run(['workflows', 'validate', 'shop', '-f', 'again.yaml', '--property', `at=[${web}]`])
  assert.deepEqual([valid.status, valid.stderr], [0, ''])
  const publish = async (changed: string[], text: string) => {
    const written = await cli.run([...changed, `source_yaml=${text.replace('"{{at}}"', `[${web}]`)}`])
    assert.equal(written.status, 0, written.stderr)
    assert.equal((await sluice('workflows publish shop again')).status, 0)
  }
  await publish(['create', 'workflow', 'shop', 'code=again', 'name=Again'], source)
  await publish(['update', 'workflow', 'shop', 'again'], source.replace('release', 'fail'))
  const first = await sluice('workflow-runs create shop again --wait')
  assert.equal(first.status, 1)
  const idOf = (text: string) => /^Run (\S+)/m.exec(text)![1]
  const planned = await sluice('workflow-runs plan shop again version=1')
  assert.match(planned.stdout, /^again, version 1 in \/projects\/shop$/m, planned.stderr)
  assert.match(planned.stdout, /^ +· one {2}release on front$/m)
  const retry = await sluice(`workflow-runs retry ${idOf(first.stdout)} --plan`)
  assert.match(retry.stdout, /^ +↻ one {2}fail on front, retries its change$/m, retry.stderr)
  assert.match(retry.stdout, /^Steps: +keeps 0 steps that succeeded, runs 1 step again$/m)
  const document = JSON.parse((await sluice(`workflow-runs retry ${idOf(first.stdout)} --plan -o json`)).stdout)
  assert.deepEqual([document.data.type, document.data.attributes.kept_steps], ['workflow_run_plan', []])
  const listed = JSON.parse((await sluice(`list workflow_runs shop --filter workflow_code_eq=again -o json`)).stdout)
  assert.equal(listed.length, 1, 'plans create nothing')
  const sha = /^plan_sha: (\S+)$/m.exec(planned.stdout)![1]
  const moved = await sluice(`workflow-runs create shop again version=1 plan_sha=${sha} --skip one`)
  assert.match(moved.stderr, /plan_sha: The plan has changed/)
  const steps = JSON.parse((await sluice(`workflow-runs steps ${idOf(first.stdout)} -o json`)).stdout)
  assert.deepEqual(
    steps.map((each: { attributes: { name: string } }) => each.attributes.name),
    ['Again', 'one'],
  )
  const again = await sluice(`workflow-runs retry ${idOf(first.stdout)} version=1 --wait --show-steps`)
  assert.equal(again.status, 0, again.stderr)
  assert.match(again.stdout, /^Run \S+ \(again, version 1\) ended: success$/m)
  const twice = await sluice(`workflow-runs retry ${idOf(again.stdout)}`)
  assert.deepEqual([twice.status, twice.stderr], [1, 'The run ended well: there is nothing to try again.\n'])
})

/**
 * A proxy in front of the service: `meets` decides for each request, from 0 on, whether it is passed on; undefined
 * passes it.
 */
async function behindFront(
  t: TestContext,
  meets: (number: number, response: ServerResponse) => 'stopped' | undefined,
): Promise<string> {
  let number = 0
  const front = createServer((request, response) => {
    const { method, headers, url } = request
    if (meets(number++, response) === 'stopped') return
    const onward = httpRequest(new URL(url!, service.address), { method, headers }, answer => {
      response.writeHead(answer.statusCode!, { ...answer.headers, connection: 'close' })
      answer.pipe(response)
    })
    request.pipe(onward)
  }).listen(0, '127.0.0.1')
  t.after(() => front.close())
  await once(front, 'listening')
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`
}

test('whoever loses the service while waiting is told how to watch the change again', async t => {
  const url = await behindFront(t, (number, response) => {
    if (number === 0) return undefined
    response.writeHead(500).end()
    return 'stopped'
  })
  const ran = await sluice(`changes create ${web} release --wait --url ${url}`)
  assert.equal(ran.status, 1)
  const id = /Execution continues on the service. To follow it again: sluice changes logs --follow (\S+)/.exec(
    ran.stderr,
  )?.[1]
  assert.match((await sluice(`changes logs --follow ${id}`)).stdout, /ended: success/)
})

test('a service that goes away just after it has made a change or a run is waited for', async t => {
  const away = (number: number, response: ServerResponse) => {
    if (number === 1) response.destroy()
    else if (number === 2) response.writeHead(503).end()
    else return undefined
    return 'stopped'
  }
  const change = await sluice(`changes create ${web} release --wait --url ${await behindFront(t, away)}`)
  assert.equal(change.status, 0, change.stderr)
  assert.match(change.stdout, /ended: success/)
  const source_yaml = `steps: [{ target: ${web}, action: release }]`
  const workflow = { code: 'away', name: 'Away', source_yaml, draft: false }
  assert.equal((await service.as('admin').post('/api/projects/shop/workflows', workflow)).status, 201)
  const run = await sluice(`workflow-runs create shop away --wait --url ${await behindFront(t, away)}`)
  assert.deepEqual([run.status, /ended: success/.test(run.stdout)], [0, true], run.stderr)
})

test('of a run, too, the tree is drawn in its place on a terminal, and why it was paused is kept', async () => {
  const admin = service.as('admin')
  const source_yaml = `steps: [{ type: wait, name: Look }, { target: ${web}, action: release, name: Out }]`
  const workflow = { code: 'drawn', name: 'Drawn', source_yaml, draft: false }
  assert.equal((await admin.post('/api/projects/shop/workflows', workflow)).status, 201)
  const { status, stdout } = await cli.run('workflow-runs create shop drawn --show-steps'.split(' '), {
    terminal: true,
    meanwhile: async running => {
      await seen(running, '… Look')
      const [{ id }] = (await admin.get('/api/workflow_runs?limit=1')).body.data
      assert.equal((await cli.run(['workflow-runs', 'pause', id, '--reason', 'for lunch'])).status, 0)
      assert.equal((await sluice(`workflow-runs resume ${id}`)).status, 0)
      const [paused] = (await admin.get('/api/events?filter[type_eq]=api:workflow_runs:pause')).body.data
      assert.equal(paused.attributes.request_body_reason, 'for lunch')
      const [step] = (await admin.get(`/api/workflow_steps?filter[for_workflow_run]=${id}&filter[name_eq]=Look`)).body
        .data
      assert.equal((await sluice(`steps continue ${step.id}`)).status, 0)
    },
  })
  assert.equal(status, 0)
  assert.match(stdout, drawnOver, 'the tree is drawn over itself')
  assert.deepEqual(
    drawn(stdout)
      .filter(line => /✔/.test(line))
      .map(line => line.replace(/ {2}success.*/, '')),
    ['✔ Drawn', '  ✔ Look', '  ✔ Out'],
  )
})

test('an approver who tries to continue a step that they may not run is told what they may do to it', async () => {
  const admin = service.as('admin')
  const id = (await sluice(`changes create ${web} signed`)).stdout.trim()
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  const [step] = (await admin.get(`/api/changes/${id}/steps?filter[waiting_for_user]=true`)).body.data
  const login = { description: 'cli', expires_at: '2099-01-01T00:00:00Z' }
  const env = { SLUICE_TOKEN: (await service.as('quinn').post('/api/tokens', login)).body.meta.token }
  const tried = await sluice(`steps continue ${step.id}`, { env })
  assert.equal(tried.status, 1)
  assert.match(
    tried.stderr,
    new RegExp(`waits for an approval and cannot be continued: sluice steps approve ${step.id}, or reject`),
  )
  assert.equal((await sluice(`steps approve ${step.id}`, { env })).status, 0)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
})
