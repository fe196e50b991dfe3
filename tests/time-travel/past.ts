import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import type { Asking } from './asking.ts'
import { isExplained } from './explained.ts'
import { isInForce, pathOf } from './judge.ts'
import type { Moment } from './moment.ts'
import { hidden } from './oracle.ts'
import type { World } from './world.ts'

/** Checks at the end every past moment, instants in between, days, and the lists of versions. */
export async function tellsThePast(world: World, asking: Asking, moments: readonly Moment[]): Promise<void> {
  const nodes = Object.keys(world.state.nodes)
  const wasAt = async (moment: Moment, date: string) => {
    for (const node of nodes) await was(asking, world, node, moment, date)
  }
  for (const moment of moments) {
    await wasAt(moment, moment.at)
    for (const node of nodes)
      if (wasThere(world, node, moment))
        await isExplained(asking, node, moment.state, world.known, `?converge_date=${moment.at}`)
  }
  for (const [date, moment] of days(moments)) await wasAt(moment, date)
  await wasAt(moments.at(-1)!, '2999-01-01T00:00:00Z')
  for (const [index, after] of moments.slice(1).entries()) {
    const before = moments[index]!
    const instants = await instantsBetween(world, before.at, after.at)
    if (!instants) continue
    // A deed's writes take effect at one instant, all together.
    await wasAt(before, instants.before)
    for (const at of new Set([instants.first, instants.last])) await wasAt(after, at)
  }
  for (const owner of Object.keys(world.state.settings)) await hasVersions(asking, world, owner)
  for (const node of Object.keys(world.state.had)) await hadVersions(asking, world, node)
}

/** A recreated node is another one. */
const wasThere = (world: World, node: string, { state }: Moment): boolean =>
  state.nodes[node]?.made === world.state.nodes[node]!.made

async function was(asking: Asking, world: World, node: string, moment: Moment, date: string): Promise<void> {
  const query = `converge_date=${date}`
  if (wasThere(world, node, moment)) return isInForce(asking, node, moment.state, world.known, `?${query}`)
  for (const view of [
    'properties?',
    'settings?',
    'properties/explain?pointer=/a&',
    'settings/explain?pointer=/vault&',
  ]) {
    const address = `/api${pathOf(node, world.known)}/converged_${view}${query}`
    const { status, text } = await asking.get(address)
    assert.equal(status, 422, `${address}: ${text}`)
  }
}

/** Each day of the history with the last moment before its end, in UTC. */
const days = (moments: readonly Moment[]): Map<string, Moment> =>
  new Map(moments.map(moment => [moment.at.slice(0, 10), moment]))

/** First and last time at which writes of this period took effect, and just before. */
const instantsBetween = ({ service: { database } }: World, from: string, to: string) =>
  database.one(
    sql<{ before: string; first: string; last: string }>`
      select min(at) - interval '1 microsecond' as before, min(at) as first, max(at) as last
        from (select active_from as at from properties_versions
              union all select active_from from settings_versions
              union all select active_from from template_version_histories
              union all select active_from from template_version_commits
              union all select created_at from nodes) instants
       where at > ${from}::timestamptz and at <= ${to}::timestamptz
      having count(*) > 0`,
  )

async function hasVersions(asking: Asking, world: World, owner: string): Promise<void> {
  for (const kind of ['properties', 'settings'] as const) {
    const made = world.state[kind][owner]
    if (!made) continue
    const { body } = await asking.get(`${await world.recordOf(owner, kind)}/versions?limit=10000`)
    const listed = body.data.toReversed().map(({ attributes }: { attributes: object }) => attributes)
    assert.deepEqual(
      listed.map(({ version, data }: { version: number; data: object }) => [version, JSON.stringify(data)]),
      made.map((data, index) => [index + 1, JSON.stringify(hidden(data))]),
      `versions of the ${kind} of ${owner}`,
    )
    for (const [index, { active_to }] of listed.entries())
      assert.equal(active_to, listed[index + 1]?.active_from ?? null, `the ends of the ${kind} of ${owner}`)
  }
}

async function hadVersions(asking: Asking, world: World, node: string): Promise<void> {
  const path = `/api${pathOf(node, world.known)}`
  const had = world.state.had[node]!.map(version => version.split(' ')[1])
  const { body } = await asking.get(`${path}/version_history?limit=1000`)
  const versions = body.data.map(({ links }: { links: { template_version: string } }) =>
    links.template_version.split('/').at(-1),
  )
  assert.deepEqual(versions.toReversed(), had, `versions that ${node} had`)
  if (!path.includes('/assets/')) return
  const { attributes } = (await asking.get(`${path}/properties_history`)).body.data.at(-1)
  assert.deepEqual(
    attributes.template_versions.map(({ version }: { version: string }) => version),
    had,
    `versions that ${node} had, in its overview`,
  )
}
