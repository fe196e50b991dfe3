import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Verdict } from './activity.ts'

interface Row {
  readonly id: string
  readonly status: string
  readonly reported: string
  readonly pause: string
  readonly madeIn: string | null
  readonly madeBy: string | null
  readonly steps: readonly (readonly [path: string, status: string, reported: string, id: string])[]
}

/**
 * Content of the tables for every activity, by the judge's names: after the step that created it.
 *
 * @param ids of the activities that have a name already; those of the others are added
 */
export async function readAll(queries: Queries, ids: Map<string, string>) {
  const rows = await queries.rows(sql<Row>`
    select a.id, a.status, a.reported_status as reported, a.pause_state as pause, m.activity_id as "madeIn",
           m.full_path as "madeBy",
           (select json_agg(json_build_array(s.full_path, s.status, s.reported_status, s.id) order by s.tree_order)
              from steps s where s.activity_id = a.id) as steps
      from activities a left join steps m on m.id = a.workflow_step_id
     order by a.number`)
  const labels = new Map([...ids].map(([label, id]) => [id, label]))
  const verdicts: Record<string, Verdict> = {}
  const stepIds = new Map<string, string>()
  for (const { id, madeIn, madeBy, steps, ...is } of rows) {
    const label = labels.get(id) ?? `${labels.get(madeIn!)} > ${madeBy}`
    labels.set(id, label)
    ids.set(label, id)
    for (const [path, , , step] of steps) stepIds.set(`${label} ${path}`, step)
    const statuses = steps.map(([path, status, reported]) => [path, [status, reported]] as const)
    verdicts[label] = { ...is, steps: Object.fromEntries(statuses) }
  }
  return { verdicts, steps: stepIds }
}

/** Each difference, as a text. */
export function differences(found: Record<string, Verdict>, expected: Record<string, Verdict>): string[] {
  const [is, should] = [facts(found), facts(expected)]
  return [...new Set([...is.keys(), ...should.keys()])]
    .filter(fact => is.get(fact) !== should.get(fact))
    .map(fact => `${fact} is ${is.get(fact) ?? 'not there'}, and should be ${should.get(fact) ?? 'nowhere'}`)
}

const facts = (verdicts: Record<string, Verdict>): Map<string, string> =>
  new Map(
    Object.entries(verdicts).flatMap(([label, { status, reported, pause, steps }]) => [
      [label, `${status}, told as ${reported}, pause ${pause}`] as const,
      ...Object.entries(steps).map(([path, statuses]) => [`${label}: ${path}`, statuses.join(', told as ')] as const),
    ]),
  )
