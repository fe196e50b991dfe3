import { startInstallation, withClient } from './installation.ts'
import { QuietClient } from './quiet-client.ts'
import { print, type Spread, spreadOf } from './report.ts'
import { seeded } from './seeded/installation.ts'
import { namedLists, unservedLists } from './seeded/named-lists.ts'
import { homeOf, shapesOfRights } from './seeded/people.ts'

/**
 * The lists that operators ask for all day, of a million assets (`bench/seed`), over HTTP with one client: as a superuser,
 * and as people whose rights have each of the shapes that rights take. SLUICE_BENCH_LISTS and SLUICE_BENCH_PEOPLE name
 * some of either, by commas.
 */
const assets = Number(process.env['SLUICE_BENCH_ASSETS'] ?? 1_000_000)
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 200)
/** For whoever asks first: their rights are compiled, and pages are fetched that others do not read. */
const warmUp = 10

const { seeded: tree, folder } = await seeded(assets)
const installation = await startInstallation(folder, {})
const client = new QuietClient(installation.url)
try {
  const only = (name: string, all: readonly string[]) => process.env[name]?.split(',') ?? all
  const lists = only('SLUICE_BENCH_LISTS', Object.keys(namedLists))
  const people = only('SLUICE_BENCH_PEOPLE', Object.keys(shapesOfRights(tree.projects)))
  // As after the first minutes of a day: code is compiled, and what these lists read lies in memory.
  await measured('admin', lists)
  const ofSuperuser = await measured('admin', lists)
  const byHand = await handwritten(lists)
  const unserved = Object.fromEntries(
    await eachOf(Object.entries(process.env['SLUICE_BENCH_LISTS'] ? {} : unservedLists), async ([name, path]) => [
      name,
      await spread('admin', () => path, 12),
    ]),
  )
  const figures: Record<string, Spread> = { ...prefixed('superuser', ofSuperuser), ...prefixed('unserved', unserved) }
  const targets: Record<string, { value: number; atMost: number }> = {
    'superuser, p99 of the slowest': { value: slowest(ofSuperuser), atMost: 10 },
    'what no index serves, p99 of the slowest': { value: slowest(unserved), atMost: 400 },
  }
  for (const person of people) {
    const theirs = await measured(person, lists)
    Object.assign(figures, prefixed(person, theirs))
    const more = Math.max(...lists.map(name => theirs[name]!.p99 - ofSuperuser[name]!.p99))
    targets[`${person}, p99 above the superuser's`] = { value: more, atMost: 5 }
  }
  await print({
    bench: 'named-lists',
    figures,
    floors: prefixed('which records, by hand', byHand),
    targets,
    databaseUrl: installation.ownerUrl,
  })
} finally {
  await client.close()
  await installation.stop()
}

type Spreads = Readonly<Record<string, Spread>>

async function measured(username: string, lists: readonly string[]): Promise<Spreads> {
  const theirs = { projects: tree.projects, home: homeOf(username, tree.projects) }
  const spreads = await eachOf(lists, async name => [
    name,
    await spread(username, round => namedLists[name]!.path(round, theirs), rounds),
  ])
  return Object.fromEntries(spreads)
}

async function spread(username: string, path: (round: number) => string, n: number): Promise<Spread> {
  const authorization = `Basic ${Buffer.from(`${username}:${installation.password}`).toString('base64')}`
  const times: number[] = []
  for (let round = 0; round < warmUp + n; round++) {
    const took = await client.get(path(round), authorization)
    if (round >= warmUp) times.push(took)
  }
  const spread = spreadOf(times)
  console.error(username, path(0), spread.p50, spread.max)
  return spread
}

/** Only which records: their documents cost what `bench/lists` says. */
function handwritten(lists: readonly string[]): Promise<Spreads> {
  const asSuperuser = { projects: tree.projects, home: homeOf('admin', tree.projects) }
  return withClient(installation.ownerUrl, async client => {
    const spreads = await eachOf(lists, async name => {
      const times: number[] = []
      for (let round = 0; round < warmUp + rounds; round++) {
        const { text, values } = namedLists[name]!.byHand(round, asSuperuser)
        const from = performance.now()
        await client.query(text, [...values])
        if (round >= warmUp) times.push(performance.now() - from)
      }
      return [name, spreadOf(times)]
    })
    return Object.fromEntries(spreads)
  })
}

async function eachOf<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const one of list) results.push(await work(one))
  return results
}

function prefixed(who: string, spreads: Spreads): Record<string, Spread> {
  return Object.fromEntries(Object.entries(spreads).map(([name, spread]) => [`${who}: ${name}, ms`, spread]))
}

function slowest(spreads: Spreads): number {
  return Math.max(...Object.values(spreads).map(({ p99 }) => p99))
}
