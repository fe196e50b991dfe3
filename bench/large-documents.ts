import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type Keyring, openKeyring, rootKey } from '../src/platform/crypto/index.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { mergePatch } from '../src/platform/documents/json-patch.ts'
import { asset, type Installation, newInstallation, spareRunners, success, withClient } from './installation.ts'
import { print, round, type Spread, spreadOf, timed } from './report.ts'
import { sealFirstVersions } from './seeded/documents.ts'

/**
 * One properties document of very many leaves on an environment, with very many assets in it: a merge patch of one leaf, the
 * impact of one leaf on every asset, a change of an asset from its POST to its first step running, and the converged
 * properties of an asset. SLUICE_BENCH_LEAVES (100,000) in SLUICE_BENCH_GROUPS objects (1,000; 1 for a flat document),
 * SLUICE_BENCH_ASSETS (2,000), SLUICE_BENCH_ROUNDS (7).
 */
const given = (name: string, otherwise: number) => Number(process.env[`SLUICE_BENCH_${name}`] ?? otherwise)
const [leaves, groups] = [given('LEAVES', 100_000), given('GROUPS', 1_000)]
const [assets, rounds] = [given('ASSETS', 2_000), given('ROUNDS', 7)]
const perGroup = Math.ceil(leaves / groups)

type Groups = Record<string, Record<string, string>>
const document: Groups = {}
for (let at = 0; at < leaves; at++) {
  const group = `host_${Math.floor(at / perGroup)}`
  document[group] ??= {}
  document[group][`key_${at % perGroup}`] = `value of ${at}`.padEnd(24, 'x')
}
const text = JSON.stringify(document)
const leaf = (turn: number) => ({ [`host_${Math.floor(groups / 2)}`]: { [`key_${turn % perGroup}`]: `turn ${turn}` } })

const notes = join(tmpdir(), `sluice-bench-large-documents-${process.pid}`)
const installation = await newInstallation({
  actions: "actions: { nothing: { run: 'true' } }",
  observer: { file: join(import.meta.dirname, 'loop-observer.ts'), notes },
  settings: { SERVICE_OVERRIDE_RUNNER__SPARES: '1' },
})
try {
  const record = await withDocument(installation)
  let turn = 0
  const patch = () => send('PATCH', record, leaf(turn++), 'merge-patch+json')
  const impact = async () => {
    const data = mergePatch(document, leaf(1_000_000))
    const body = JSON.stringify({ data: { attributes: { data } } })
    let examined = 0
    for (let path: string | undefined = `${record}/impact?limit=500`; path; ) {
      const page = JSON.parse(await send('POST', path, body, 'vnd.api+json'))
      examined += page.data.length
      path = page.links.next
    }
    if (examined < assets) throw new Error(`${examined} of ${assets} assets were said to change`)
  }
  const converged = () => send('GET', `${asset}/converged_properties`)
  const patches = await observed(patch)
  const impacts = await observed(impact)
  const reads = await observed(converged)
  const changes = await observed(changeToFirstStep)
  const floors = await floorsOf(installation)
  const figures: Record<string, Spread | number> = { 'bytes of the document': text.length, leaves, assets }
  for (const [name, { times, held }] of Object.entries({
    'merge patch of a leaf': patches,
    'impact of a leaf on every asset, in pages of 500': impacts,
    'converged properties of an asset': reads,
    'POST of a change to its first step running': changes,
  })) {
    figures[`${name}, ms`] = times
    figures[`${name}: longest hold of the event loop, ms`] = held
  }
  const plain = floors['parsing, merging and writing the document, ms']!.p50
  const byHand = plain + floors['one UPDATE of the document as jsonb, ms']!.p50
  await print({
    bench: 'large-documents',
    figures,
    floors,
    targets: {
      'merge patch, ms': { value: patches.times.p50, atMost: 1_000 },
      'impact, ms': { value: impacts.times.p50, atMost: 3_000 },
      'change to its first step, ms': { value: changes.times.p50, atMost: 2_000 },
      'merge patch against parsing, merging, writing and one UPDATE': {
        value: patches.times.p50 / byHand,
        atMost: 3,
      },
      'longest hold of the event loop, ms': {
        value: Math.max(...[patches, impacts, reads, changes].map(({ held }) => held)),
        atMost: 500,
      },
    },
    databaseUrl: installation.ownerUrl,
  })
} finally {
  await installation.remove()
}

/** The record of the environment's properties, with the document in it, and the requested number of assets. */
async function withDocument({ sluice, ownerUrl, folder }: Installation): Promise<string> {
  const { relationships } = await sluice.show('/api/projects/bench/environments/bench')
  const path = relationships!['properties']!.links!.related!
  await sluice.update(path, { data: document })
  const pool = openDatabase({ url: ownerUrl, name: 'bench', size: 1 })
  try {
    const root = await rootKey({ given: undefined, file: join(folder, 'data/root.key'), database: pool })
    const keyring = await openKeyring({ database: pool, rootKey: root })
    await withClient(ownerUrl, from => withClient(ownerUrl, to => copyAsset(from, to, keyring)))
  } finally {
    await pool.end()
  }
  return path
}

/**
 * Copies the only asset, with first versions of documents of its own: 2,000 requests would take longer than everything
 * else.
 */
async function copyAsset(from: pg.Client, to: pg.Client, keyring: Keyring): Promise<void> {
  await from.query(`
    with made as (
      insert into nodes (node_type, code, name, description, parent_id, project_id, environment_id, path, created_by, user_id,
                         template_id, template_code, template_version_id, template_version, settings_id, properties_id)
      select node_type, code || '-' || i, name || ' ' || i, '', parent_id, project_id, environment_id, path || '-' || i,
             created_by, user_id, template_id, template_code, template_version_id, template_version, sluice_uuid7(),
             sluice_uuid7()
        from nodes, generate_series(2, ${assets}) i
       where node_type = 'asset'
      returning *
    ), of_template as (
      insert into template_version_histories (node_id, project_id, path, template_id, template_version_id, created_by,
                                              user_id, active_from)
      select id, project_id, path, template_id, template_version_id, created_by, user_id, created_at from made
    ), with_settings as (
      insert into settings (id, owner_type, owner_id, project_id, path, created_by, user_id, created_at)
      select settings_id, 'Asset', id, project_id, path || '/settings', created_by, user_id, created_at from made
    )
    insert into properties (id, owner_type, owner_id, project_id, path, created_by, user_id, created_at)
    select properties_id, 'Asset', id, project_id, path || '/properties', created_by, user_id, created_at from made`)
  for (const name of ['settings', 'properties'] as const) await sealFirstVersions(name, { from, to, keyring })
  await from.query('analyze')
}

async function send(method: string, path: string, body?: string | object, type?: string): Promise<string> {
  const response = await fetch(`${installation.url}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${installation.password}`).toString('base64')}`,
      accept: 'application/vnd.api+json',
      ...(type && { 'content-type': `application/${type}` }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${answer.slice(0, 500)}`)
  return answer
}

/**
 * Milliseconds of each round but the first, or the result of the work itself, and the longest block of the event loop.
 */
async function observed(work: () => Promise<number | unknown>): Promise<{ times: Spread; held: number }> {
  await work()
  process.kill(installation.servicePid, 'SIGUSR2')
  const times: number[] = []
  for (let done = 0; done < rounds; done++) {
    let own: unknown
    const took = await timed(async () => {
      own = await work()
    })
    times.push(typeof own === 'number' ? own : took)
  }
  await new Promise(resolve => setTimeout(resolve, 300))
  return { times: spreadOf(times), held: round(JSON.parse(readFileSync(notes, 'utf8')).held) }
}

async function changeToFirstStep(): Promise<number> {
  const { sluice, ownerUrl } = installation
  await spareRunners(ownerUrl, 1)
  const sent = Date.now()
  const { id } = await sluice.create(`${asset}/changes`, { action: 'nothing' })
  await success(sluice, id)
  return withClient(ownerUrl, async client => {
    const { rows } = await client.query(
      `select extract(epoch from min(started_at))::float * 1000 as running
         from steps where activity_id = $1 and action is not null`,
      [id],
    )
    return rows[0].running - sent
  })
}

async function floorsOf({ beside }: Installation): Promise<Record<string, Spread>> {
  const url = await beside('floor')
  const repeated = async (work: (turn: number) => unknown) => {
    const times: number[] = []
    for (let done = 0; done < rounds; done++) times.push(await timed(() => work(done)))
    return spreadOf(times)
  }
  return withClient(url, async client => {
    for (const type of ['text', 'jsonb']) {
      await client.query(`create table floor_${type} (id int, data ${type})`)
      await client.query(`insert into floor_${type} values (1, $1)`, [text])
    }
    const update = (type: string) => () => client.query(`update floor_${type} set data = $1 where id = 1`, [text])
    const setLeaf = `update floor_jsonb set data = jsonb_set(data, $1, $2) where id = 1`
    return {
      'parsing, merging and writing the document, ms': await repeated(turn =>
        JSON.stringify(mergePatch(JSON.parse(text), leaf(turn))),
      ),
      'JSON.parse and JSON.stringify of the document, ms': await repeated(() => JSON.stringify(JSON.parse(text))),
      'one UPDATE of the document as text, ms': await repeated(update('text')),
      'one UPDATE of the document as jsonb, ms': await repeated(update('jsonb')),
      'one UPDATE of a leaf of the jsonb, ms': await repeated(turn =>
        client.query(setLeaf, [[`host_${Math.floor(groups / 2)}`, 'key_0'], JSON.stringify(`turn ${turn}`)]),
      ),
      'a bare Node process, ms': await repeated(() => execFileSync(process.execPath, ['-e', ''])),
    }
  })
}
