import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { asset, newInstallation, withClient } from './installation.ts'
import { QuietClient } from './quiet-client.ts'
import { print, spreadOf } from './report.ts'

/**
 * The converged properties of an asset with the source of every leaf, over HTTP: seven layers, a megabyte and 20,000
 * leaves in all, without any cache between requests; the same for a client that has the response; and of a past instant
 * among many versions. SLUICE_BENCH_VERSIONS: number of versions (10,000) of 10 KB of each layer.
 */
const layers = 7
const leaves = 20_000
const rounds = 150
const warmUp = 30
const versions = Number(process.env['SLUICE_BENCH_VERSIONS'] ?? 10_000)

/**
 * Each layer shares a third of its groups with others. Its keys are its own, except one in ten, which is in all layers.
 */
function document(layer: number, size: number, value: number): object {
  const each = Array.from({ length: size }, (_, i) => {
    const key = i % 10 === 0 ? `common_${i}` : `key_${layer}_${i}`
    return [
      `group_${layer % 3}_${i % 20}`,
      `host_${i % 200}`,
      key,
      `value of ${layer} ${i} `.padEnd(value, 'x'),
    ] as const
  })
  const groups: Record<string, Record<string, Record<string, string>>> = {}
  for (const [group, host, key, text] of each) {
    groups[group] ??= {}
    groups[group][host] ??= {}
    groups[group][host][key] = text
  }
  return groups
}

const big = (layer: number) => document(layer, Math.ceil(leaves / layers), 30)
const small = (layer: number, turn: number) => ({ ...document(layer, 200, 30), turn })
/**
 * Collects the garbage of the floor outside of all measurements: it is not the service's, which shares the processors.
 */
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const notes = join(tmpdir(), `sluice-bench-loop-${process.pid}`)
const installation = await newInstallation({
  actions: "actions: { deploy: { description: Roll out, run: 'true' } }",
  files: { 'bench/defaults.json': JSON.stringify(big(0)) },
  observer: { file: join(import.meta.dirname, 'loop-observer.ts'), notes },
})
try {
  const { sluice, ownerUrl, servicePid, url, password } = installation
  const owners = [
    '/api/projects/bench',
    '/api/projects/bench/environments/bench',
    '/api/projects/bench/templates/bench',
    '/api/projects/bench/templates/bench/versions/1.0',
    asset,
  ]
  const write = async (of: (layer: number) => object) => {
    for (const [index, owner] of owners.entries()) {
      const { relationships } = (await sluice.show(owner)) as {
        relationships?: Record<string, { data: { id: string } }>
      }
      await sluice.update(`/api/properties/${relationships!['properties']!.data.id}`, { data: of(index + 1) })
    }
  }
  await write(index => (index === owners.length ? { ...big(5), ...big(6) } : big(index)))
  await withClient(ownerUrl, client => client.query('analyze'))
  const client = new QuietClient(url)
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const ask = (query = '', headers: Record<string, string> = {}) =>
    client.ask(`${asset}/converged_properties${query}`, { authorization, ...headers })
  for (let round = 0; round < warmUp; round++) await ask()

  process.kill(servicePid, 'SIGUSR2')
  const documents = Array.from({ length: layers }, (_, index) => JSON.stringify(big(index)))
  const answer = await ask()
  const floor = unavoidable(documents, JSON.parse(answer.text()))
  const [whole, known, least]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    collectGarbage()
    const { milliseconds, status, bytes } = await ask()
    if (status !== 200 || bytes !== answer.bytes) throw new Error(`${status}, with ${bytes} bytes`)
    whole.push(milliseconds)
    least.push(floor())
  }
  // The code of such a short response needs a warm-up of its own.
  for (let round = -10 * warmUp; round < rounds; round++) {
    const same = await ask('', { 'if-none-match': answer.etag })
    if (same.status !== 304) throw new Error(`a known answer was answered ${same.status}`)
    if (round >= 0) known.push(same.milliseconds)
  }
  await new Promise(resolve => setTimeout(resolve, 200))
  const { held, spent } = JSON.parse(readFileSync(notes, 'utf8')) as { held: number; spent: number }

  await write(index => small(index, 1))
  const then = (await withClient(ownerUrl, client => client.query('select clock_timestamp()::text as at'))).rows[0].at
  await write(index => small(index, 2))
  await withClient(ownerUrl, client => manyVersions(client))
  const at = `?converge_date=${encodeURIComponent(then.replace(' ', 'T').replace(/\+00$/, 'Z'))}`
  const [now, past]: [number[], number[]] = [[], []]
  for (let round = 0; round < warmUp + rounds; round++) {
    const [one, other] = [await ask(), await ask(at)]
    for (const { status } of [one, other]) if (status !== 200) throw new Error(`answered ${status}`)
    if (round < warmUp) continue
    now.push(one.milliseconds)
    past.push(other.milliseconds)
  }
  const [all, none, floors, current, before] = [whole, known, least, now, past].map(spreadOf) as [
    ReturnType<typeof spreadOf>,
    ReturnType<typeof spreadOf>,
    ReturnType<typeof spreadOf>,
    ReturnType<typeof spreadOf>,
    ReturnType<typeof spreadOf>,
  ]
  await print({
    bench: 'converged',
    figures: {
      'converged properties with sources, ms': all,
      'the same for a client that has them (304), ms': none,
      [`of small layers with ${versions} versions each, ms`]: current,
      'the same of a past instant, ms': before,
      'longest hold of the event loop, ms': held,
      'most processor time between two of its turns, ms': spent,
    },
    floors: {
      'decrypting, parsing and writing the same, ms': floors,
      'bytes of the documents': documents.join('').length,
      'bytes of the answer': answer.bytes,
    },
    targets: {
      'converged, ms': { value: all.p50, atMost: 30 },
      'converged, p99, ms': { value: all.p99, atMost: 60 },
      'converged against decrypting, parsing and writing': { value: all.p50 / floors.p50, atMost: 3 },
      '304, ms': { value: none.p50, atMost: 1 },
      'hold of the event loop, ms': { value: held, atMost: 20 },
      'processor time between two of its turns, ms': { value: spent, atMost: 20 },
      'of a past instant against now': { value: before.p50 / current.p50, atMost: 1.3 },
    },
    databaseUrl: ownerUrl,
  })
  await client.close()
} finally {
  await installation.remove()
}

/** Unavoidable work: decrypt and parse the documents, and write a response like this one. */
function unavoidable(documents: readonly string[], answer: unknown): () => number {
  const key = randomBytes(32)
  const sealed = documents.map(text => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    return { nonce, bytes: Buffer.concat([cipher.update(text), cipher.final()]), tag: cipher.getAuthTag() }
  })
  return () => {
    const from = performance.now()
    for (const { nonce, bytes, tag } of sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag)
      JSON.parse(Buffer.concat([decipher.update(bytes), decipher.final()]).toString())
    }
    Buffer.from(JSON.stringify(answer))
    return performance.now() - from
  }
}

/** Versions before all others: their documents are never decrypted, only skipped. */
async function manyVersions(client: { query(text: string, values?: unknown[]): Promise<unknown> }): Promise<void> {
  await client.query(
    `insert into properties_versions (properties_id, version, data, data_sha, created_by, active_from, active_to)
     select p.id, 1000 + i, convert_to(repeat(md5(i::text), 320), 'UTF8'), '', 'bench',
            timestamptz '2001-01-01' + i * interval '1 second', timestamptz '2001-01-01' + (i + 1) * interval '1 second'
       from properties p, generate_series(1, $1::int) i
      where exists (select from properties_versions v where v.properties_id = p.id and v.version > 1)`,
    [versions],
  )
  await client.query('analyze properties_versions')
}
