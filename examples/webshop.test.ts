import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { applyPatch } from 'rfc6902'
import { parse } from 'yaml'

/**
 * The example's scripts by themselves, without a service: each action is run as the runner runs it (bash, its
 * prerequisites first, env filled in from properties, context and result files), and patches are applied in between.
 */

interface Action {
  needs?: string[]
  env?: Record<string, string>
  run?: string
  steps?: (string | { name: string; steps: string[] })[]
}
interface Properties {
  web: { home: string; stage: string; port: number; replicas: number; greeting: string }
  release: { number: number; folder: string }
  running: { replicas: { replica: number; pid: number; url: string }[] }
}

const repository = join(import.meta.dirname, 'webshop')
const { actions } = parse(readFileSync(join(repository, 'web/actions.yaml'), 'utf8')) as {
  actions: Record<string, Action>
}
let folder: string
let properties: Properties

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'webshop-'))
  cpSync(join(repository, 'web'), join(folder, 'copy'), { recursive: true })
  properties = {
    ...parse(readFileSync(join(repository, 'web/defaults.yaml'), 'utf8')),
    ...parse(readFileSync(join(repository, '.sluice/properties/company.yaml'), 'utf8')),
    ...JSON.parse(readFileSync(join(repository, '.sluice/properties/projects/webshop/products.json'), 'utf8')),
  }
  Object.assign(properties.web, {
    home: join(folder, 'a home of its own'),
    stage: 'test',
    port: 20_000 + (process.pid % 10_000),
    replicas: 2,
    greeting: '$(touch "$HOME/broken-out") <b>"Welcome"</b>',
  })
})

after(() => {
  run('stop')
  rmSync(folder, { recursive: true })
})

test('a release is provisioned, prepared, started and found healthy, and later steps read what earlier ones wrote', async () => {
  const { status, output } = run('release')
  assert.equal(status, 0, output)
  assert.equal(properties.release.number, 1)
  assert.equal(properties.running.replicas.length, 2)
  const [first, second] = properties.running.replicas
  assert.notEqual(first?.url, second?.url)
  const health = await (await get(`${second?.url}/health`)).json()
  assert.deepEqual(health, { status: 'ok', release: 1, stage: 'test', replica: 2 })
})

test('a property is data: neither the shell nor the page runs what stands in it', async () => {
  const page = await (await get(properties.running.replicas[0]?.url ?? '')).text()
  assert.match(page, /<p>\$\(touch &quot;\$HOME\/broken-out&quot;\) &lt;b&gt;&quot;Welcome&quot;&lt;\/b&gt;<\/p>/)
  assert.ok(!existsSync(join(folder, 'broken-out')))
})

test('the next release replaces the one that runs, on another number', async () => {
  const before = properties.running.replicas.map(({ pid }) => pid)
  const { status, output } = run('release')
  assert.equal(status, 0, output)
  assert.equal(properties.release.number, 2)
  for (const pid of before) assert.ok(!serves(pid), `process ${pid} of the old release still runs`)
  const prices = (await (await get(`${properties.running.replicas[0]?.url}/price-list.json`)).json()) as {
    products: unknown[]
  }
  assert.equal(prices.products.length, 3)
})

test('break fails with exit code 7, and what follows it does not run', () => {
  const { status, output } = run('break')
  assert.equal(status, 7)
  assert.match(output, /answers 404 There is no such page/)
  assert.doesNotMatch(output, /Everything answers/)
})

test('stop ends every server, and stopping again is no error', async () => {
  const urls = properties.running.replicas.map(({ url }) => url)
  assert.equal(run('stop').status, 0)
  assert.deepEqual(properties.running.replicas, [])
  for (const url of urls) await assert.rejects(get(url))
  const { status, output } = run('stop')
  assert.equal(status, 0, output)
  assert.match(output, /Nothing runs/)
})

test('the health of a shop that does not run is an error that says so', () => {
  const { status, output } = run('health-check')
  assert.notEqual(status, 0)
  assert.match(output, /Nothing runs/)
})

/** Over a connection of its own: one that is kept from before would be one to a server that has been replaced. */
const get = (url: string) => fetch(url, { headers: { connection: 'close' } })

/** Runs an action with all its steps; stops at the first that fails. Parallel stages run one after the other here. */
function run(name: string): { status: number | null; output: string } {
  const action = actions[name]
  assert.ok(action, `there is no action ${name}`)
  let output = ''
  const result = join(folder, 'step_result.json')
  for (const body of [...(action.needs ?? []).map(need => ({ need })), ...(action.run ? [{ own: true }] : [])]) {
    const ended = 'need' in body ? run(body.need) : runScript(action, result)
    output += ended.output
    if (ended.status !== 0) return { status: ended.status, output }
  }
  for (const step of (action.steps ?? []).flatMap(step => (typeof step === 'string' ? step : step.steps))) {
    const ended = run(step)
    output += ended.output
    if (ended.status !== 0) return { status: ended.status, output }
  }
  return { status: 0, output }
}

function runScript(action: Action, result: string) {
  const context = join(folder, 'step_context.json')
  const script = join(folder, 'script')
  writeFileSync(context, JSON.stringify({ converged: properties }))
  writeFileSync(script, action.run ?? '')
  const env = Object.fromEntries(Object.entries(action.env ?? {}).map(([key, value]) => [key, filledIn(value)]))
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', script], {
    cwd: join(folder, 'copy'),
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      SLUICE_STEP_CONTEXT: context,
      SLUICE_STEP_RESULT: result,
      SLUICE_API_TOKEN: 'not for servers',
      ...env,
    },
  })
  const written = existsSync(result) ? JSON.parse(readFileSync(result, 'utf8')) : {}
  rmSync(result, { force: true })
  const refused = applyPatch(properties, written.properties_diffs?.asset ?? []).filter(error => error)
  assert.deepEqual(refused, [])
  return { status, output: stdout + stderr }
}

/** Whether this process is one of ours and not dead (a dead one that nobody has waited for has no command line). */
function serves(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file) && readFileSync(file, 'utf8').includes(folder)
}

function filledIn(value: string): string {
  return value.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => {
    const found = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], properties)
    assert.notEqual(found, undefined, `the property ${path} is unknown`)
    return String(found)
  })
}
