import { isDeepStrictEqual } from 'node:util'
import { startHelperProgram, startInstallation } from './installation.ts'
import { QuietClient } from './quiet-client.ts'
import { print, type Spread, spreadOf } from './report.ts'
import { seeded } from './seeded/installation.ts'
import { namedLists, skewedLists, unservedLists } from './seeded/named-lists.ts'
import { homeOf, shapesOfRights } from './seeded/people.ts'

/**
 * The lists that operators request all day, of a million assets (`bench/seed`), over HTTP with one client: as a
 * superuser, and as people whose rights have each of the usual shapes. SLUICE_BENCH_LISTS and SLUICE_BENCH_PEOPLE
 * select some of either, separated by commas. In addition, lists of records of which a few parents have thousands,
 * whose statistics mislead (`seeded/skew.ts`): for a superuser and for each shape of rights.
 *
 * Requests to compare alternate, a superuser's page with the same page by hand and another user's with a superuser's:
 * both have the same load of the machine, and each is first every other time. The superuser's target is compared with
 * all requests of the superuser in the run: those next to the floor and those next to each of the people.
 */
const assets = Number(process.env['SLUICE_BENCH_ASSETS'] ?? 1_000_000)
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 400)
/** First requests of a user: their rights are compiled, and pages are read that others do not read. */
const warmUp = 10

const { seeded: tree, folder } = await seeded(assets)
const skewedOnes = skewedLists(tree.skew)
const installation = await startInstallation(folder, {})
const beside = await startHelperProgram('lists-by-hand.ts', installation)
const byHandUrl = beside.addresses[0]!
const [client, clientByHand] = [new QuietClient(installation.url), new QuietClient(byHandUrl)]
try {
  const only = (name: string, all: readonly string[]) => process.env[name]?.split(',') ?? all
  const lists = only('SLUICE_BENCH_LISTS', Object.keys(namedLists))
  const people = only('SLUICE_BENCH_PEOPLE', Object.keys(shapesOfRights(tree.projects)))
  for (const name of lists) await refuseAnother(name)
  const superuser = (name: string) => inTurns(name, rounds, [listOf('admin', name), byHand(name)])
  // Warm-up, as in the first minutes of a day: the code is compiled, and the data of these lists are in memory.
  for (const name of lists) await superuser(name)
  const measured = await eachOf(lists, superuser)
  const superusers = new Map(measured.map(([name, [theirs]]) => [name, [...theirs!]]))
  const unserved = await eachOf(process.env['SLUICE_BENCH_LISTS'] ? [] : Object.keys(unservedLists), name =>
    inTurns(name, 12, [() => client.get(unservedLists[name]!, authorization('admin'))]),
  )
  const figures: Record<string, Spread> = {
    ...named('superuser', measured, 0),
    ...named('unserved', unserved, 0),
  }
  const targets: Record<string, { value: number; atMost: number }> = {
    'what no index serves, p99 of the slowest': { value: slowest(unserved), atMost: 400 },
  }
  const skewedByPerson = [...(await eachOf(Object.keys(skewedOnes), skewedOf('admin')))]
  Object.assign(figures, named('superuser, skewed', skewedByPerson, 0))
  for (const person of people) {
    const both = await eachOf(lists, name => inTurns(name, rounds, [listOf(person, name), listOf('admin', name)]))
    Object.assign(figures, named(person, both, 0), named(`superuser, beside ${person}`, both, 1))
    for (const [name, [, beside]] of both) superusers.get(name)!.push(...beside!)
    const skewed = await eachOf(await readableBy(person), skewedOf(person))
    Object.assign(figures, named(`${person}, skewed`, skewed, 0))
    skewedByPerson.push(...skewed)
    const more = Math.max(...both.map(([, [theirs, beside]]) => spreadOf(theirs!).p99 - spreadOf(beside!).p99))
    targets[`${person}, p99 above the superuser's`] = { value: more, atMost: 5 }
  }
  const all = [...superusers].map(([name, times]) => [name, [times]] as const)
  Object.assign(figures, named('superuser, whole run', all, 0))
  targets['skewed lists, median of the slowest'] = { value: slowestMedian(skewedByPerson), atMost: 100 }
  targets['superuser, p99 of the slowest in the whole run'] = { value: slowest(all), atMost: 10 }
  await print({
    bench: 'named-lists',
    figures,
    floors: named('by hand', measured, 1),
    targets,
    databaseUrl: installation.ownerUrl,
  })
} finally {
  await Promise.all([client.close(), clientByHand.close()])
  await beside.stop()
  await installation.stop()
}

/** Sends the request of a round; returns milliseconds. */
type Ask = (round: number) => Promise<number>

/** Milliseconds of each request of each caller, by the name of the list. */
type ByList = readonly (readonly [name: string, each: readonly (readonly number[])[]])[]

async function inTurns(name: string, n: number, asks: readonly Ask[]): Promise<readonly (readonly number[])[]> {
  const times = asks.map((): number[] => [])
  for (let round = 0; round < warmUp + n; round++)
    for (const at of round % 2 ? asks.keys() : [...asks.keys()].reverse()) {
      const took = await asks[at]!(round)
      if (round >= warmUp) times[at]!.push(took)
    }
  console.error(name, ...times.map(spreadOf).flatMap(({ p50, p99 }) => [p50, p99]))
  return times
}

function skewedOf(username: string) {
  return (name: string) =>
    inTurns(`${name} of ${username}`, 30, [() => client.get(skewedOnes[name]!, authorization(username))])
}

/** Skewed lists of records that the user may read: for others the response is 404. */
async function readableBy(username: string): Promise<string[]> {
  const statusOf = async (url: string) =>
    (await fetch(installation.url + url, { headers: { authorization: authorization(username) } })).status
  const statuses = await eachOf(Object.keys(skewedOnes), name => statusOf(skewedOnes[name]!))
  return statuses.flatMap(([name, status]) => (status === 200 ? [name] : []))
}

function listOf(username: string, name: string): Ask {
  const theirs = { projects: tree.projects, home: homeOf(username, tree.projects) }
  const signedIn = authorization(username)
  return round => client.get(namedLists[name]!.path(round, theirs), signedIn)
}

/** Requests the same records as a superuser from a bare server with statements and documents written by hand. */
function byHand(name: string): Ask {
  return round => clientByHand.get(pathByHand(name, round), authorization('admin'))
}

function pathByHand(name: string, round: number): string {
  const which = { round: String(round), projects: String(tree.projects), home: homeOf('admin', tree.projects) }
  return `/named/${name}?${new URLSearchParams(which)}`
}

function authorization(username: string): string {
  return `Basic ${Buffer.from(`${username}:${installation.password}`).toString('base64')}`
}

/** Throws if the floor's response differs: only the same response makes it a floor. */
async function refuseAnother(name: string): Promise<void> {
  const superusers = { projects: tree.projects, home: homeOf('admin', tree.projects) }
  const dataOf = async (url: string) => {
    const headers = { accept: 'application/vnd.api+json', authorization: authorization('admin') }
    return ((await (await fetch(url, { headers })).json()) as { data: unknown }).data
  }
  const theirs = await dataOf(installation.url + namedLists[name]!.path(1, superusers))
  if (!isDeepStrictEqual(theirs, await dataOf(byHandUrl + pathByHand(name, 1))))
    throw new Error(`the list ${name} has other records by hand`)
}

async function eachOf<R>(names: readonly string[], work: (name: string) => Promise<R>): Promise<[string, R][]> {
  const results: [string, R][] = []
  for (const name of names) results.push([name, await work(name)])
  return results
}

function named(who: string, lists: ByList, at: number): Record<string, Spread> {
  return Object.fromEntries(lists.map(([name, each]) => [`${who}: ${name}, ms`, spreadOf(each[at]!)]))
}

function slowestMedian(lists: ByList): number {
  return Math.max(...lists.map(([, [first]]) => spreadOf(first!).p50))
}

function slowest(lists: ByList): number {
  return Math.max(...lists.map(([, [first]]) => spreadOf(first!).p99))
}
