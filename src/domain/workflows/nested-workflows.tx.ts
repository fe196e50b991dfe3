import type { ResolvedStep } from '#authoring/workflows/resolve-workflow.ts'
import type { WorkflowError } from '#authoring/workflows/workflow-tree.ts'
import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { lockNamed } from '#platform/db/locks.ts'
import type { Node } from '../nodes/index.ts'
import { type Nested, nestedOfVersions, type PublishedWorkflow, publishedWorkflows } from './workflow.store.ts'

/** The workflows that steps run, each once. */
export const nestedOf = (steps: readonly ResolvedStep[]): Nested[] => distinct(nestedSteps(steps).map(nestedBy))

const nestedBy = ({ workflow, version }: ResolvedStep): Nested => ({
  code: workflow!,
  ...(version !== undefined && { version }),
})

const nestedSteps = (steps: readonly ResolvedStep[]): ResolvedStep[] =>
  steps.flatMap(step => [...(step.workflow === undefined ? [] : [step]), ...nestedSteps(step.children)])

/**
 * Faults of the workflows that steps run: a missing or archived one, an unpublished version, or one through which the
 * workflow itself (`own`) would run again. With `own`, which is about to be published, they are locked until the
 * transaction ends: archiving or deleting one waits, and finds that it is used.
 */
export async function nestedErrors(
  queries: Queries,
  actor: Actor,
  project: Pick<Node, 'id' | 'path'>,
  steps: readonly ResolvedStep[],
  own?: string,
): Promise<WorkflowError[]> {
  const nested = nestedSteps(steps)
  if (nested.length === 0) return []
  const codes = [...new Set(nested.map(({ workflow }) => workflow!))]
  const rows = await publishedWorkflows(queries, project.id, codes, { held: own !== undefined })
  const readable = rows.filter(({ path }) => actor.rights.may('read', path))
  const known = new Map(readable.map(row => [row.code, row]))
  const circles = own === undefined ? undefined : await circlesTo(queries, actor, project, own, nestedOf(steps))
  return nested.flatMap(step => {
    const { workflow: code, version, places } = step
    const fault = (code === own ? undefined : faultOf(known.get(code!), code!, version)) ?? circles?.(nestedBy(step))
    const place = places[fault?.about ?? ''] ?? places['']!
    return fault ? [{ ...place, message: fault.message }] : []
  })
}

function faultOf(known: PublishedWorkflow | undefined, code: string, version: number | undefined) {
  if (!known) return { about: 'workflow', message: `The project has no workflow "${code}".` }
  if (known.archived) return { about: 'workflow', message: `The workflow "${code}" is archived.` }
  if (known.latest === null) return { about: 'workflow', message: `No version of the workflow "${code}" is published.` }
  if (version === undefined || known.published.includes(version)) return undefined
  return { about: 'version', message: `Version ${version} of the workflow "${code}" is not published.` }
}

/** Whether a workflow would run itself through another, and through which; unreadable ones are not named. */
async function circlesTo(
  queries: Queries,
  actor: Actor,
  { id, path }: Pick<Node, 'id' | 'path'>,
  own: string,
  nested: readonly Nested[],
) {
  const ways = waysTo(own, await runsBelow(queries, id, own, nested))
  const shown = (code: string) => (actor.rights.may('read', `${path}/workflows/${code}`) ? code : '…')
  return (by: Nested) => {
    const way = by.code === own ? [] : ways.get(keyOf(by))
    if (!way) return undefined
    const circle = [own, by.code, ...way].map(shown).join(' → ')
    return { about: 'workflow', message: `The workflow would run itself: ${circle}.` }
  }
}

const keyOf = ({ code, version }: Nested): string => `${code}:${version ?? ''}`

const distinct = (nested: readonly Nested[]): Nested[] => [...new Map(nested.map(each => [keyOf(each), each])).values()]

/** Workflows run by published versions, directly or indirectly: each is examined once, a level with one statement. */
async function runsBelow(
  queries: Queries,
  projectId: string,
  own: string,
  nested: readonly Nested[],
): Promise<ReadonlyMap<string, readonly Nested[]>> {
  const runs = new Map<string, readonly Nested[]>()
  const unknown = (some: readonly Nested[]) =>
    distinct(some).filter(each => each.code !== own && !runs.has(keyOf(each)))
  for (let level = unknown(nested); level.length > 0; ) {
    for (const each of level) runs.set(keyOf(each), [])
    const rows = await nestedOfVersions(queries, projectId, level)
    for (const { at, nested } of rows) runs.set(keyOf(level[at]!), nested)
    level = unknown(rows.flatMap(row => row.nested))
  }
  return runs
}

/** The codes on the way from each of these to a workflow; absent for those from which none leads there. */
function waysTo(own: string, runs: ReadonlyMap<string, readonly Nested[]>): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>()
  for (let before = -1; before < ways.size; ) {
    before = ways.size
    for (const [key, nested] of runs) {
      const next = nested.find(each => each.code === own) ?? nested.find(each => ways.has(keyOf(each)))
      if (next && !ways.has(key)) ways.set(key, [next.code, ...(ways.get(keyOf(next)) ?? [])])
    }
  }
  return ways
}

/** Serializes publishing in a project: two that would close a cycle together see each other. */
export const lockPublishing = (queries: Queries, projectId: string): Promise<unknown> =>
  lockNamed(queries, `workflows.publish:${projectId}`)
