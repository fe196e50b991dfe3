import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { holdNamed } from '#platform/db/locks.ts'
import { sql } from '#platform/db/sql.ts'
import type { ResolvedStep } from './resolve-workflow.ts'
import type { Nested } from './workflow.store.ts'
import type { WorkflowError } from './workflow-tree.ts'

interface Known {
  readonly code: string
  readonly path: string
  readonly archived: boolean
  readonly latest: number | null
  readonly published: readonly number[]
}

/** The workflows that steps run, each once. */
export function nestedOf(steps: readonly ResolvedStep[]): Nested[] {
  const found = new Map<string, Nested>()
  for (const { workflow: code, version } of nestedSteps(steps))
    found.set(`${code}:${version ?? ''}`, { code: code!, ...(version !== undefined && { version }) })
  return [...found.values()]
}

const nestedSteps = (steps: readonly ResolvedStep[]): ResolvedStep[] =>
  steps.flatMap(step => [...(step.workflow === undefined ? [] : [step]), ...nestedSteps(step.children)])

/** What is wrong with the workflows that steps run: there is none, it is archived, or no such version is published. */
export async function nestedErrors(
  queries: Queries,
  actor: Actor,
  projectId: string,
  steps: readonly ResolvedStep[],
): Promise<WorkflowError[]> {
  const nested = nestedSteps(steps)
  if (nested.length === 0) return []
  const codes = [...new Set(nested.map(({ workflow }) => workflow!))]
  const rows = await queries.rows(sql<Known>`
    select w.code, w.path, w.archived, w.latest_published_version as latest,
           array(select v.version from workflow_versions v where v.workflow_id = w.id and v.published_at is not null) as published
      from workflows w
     where w.project_id = ${projectId}::uuid and w.code = any(${codes}::text[])`)
  const readable = rows.filter(({ path }) => actor.rights.may('read', path))
  const known = new Map(readable.map(row => [row.code, row]))
  return nested.flatMap(({ workflow: code, version, places }) => {
    const fault = faultOf(known.get(code!), code!, version)
    const place = places[fault?.about ?? ''] ?? places['']!
    return fault ? [{ ...place, message: fault.message }] : []
  })
}

function faultOf(known: Known | undefined, code: string, version: number | undefined) {
  if (!known) return { about: 'workflow', message: `The project has no workflow "${code}".` }
  if (known.archived) return { about: 'workflow', message: `The workflow "${code}" is archived.` }
  if (known.latest === null) return { about: 'workflow', message: `No version of the workflow "${code}" is published.` }
  if (version === undefined || known.published.includes(version)) return undefined
  return { about: 'version', message: `Version ${version} of the workflow "${code}" is not published.` }
}

/**
 * How a workflow would reach itself by what it runs: `release → report → release`; undefined when it does not. Each
 * version is looked at once, a level of nesting with one statement.
 */
export async function circleThrough(
  queries: Queries,
  projectId: string,
  own: string,
  nested: readonly Nested[],
): Promise<string[] | undefined> {
  const key = ({ code, version }: Nested) => `${code}:${version ?? ''}`
  const above = new Map<string, string | undefined>(nested.map(each => [key(each), undefined]))
  const codeOf = (at: string) => at.slice(0, at.lastIndexOf(':'))
  const trail = (at: string | undefined): string[] => (at === undefined ? [own] : [...trail(above.get(at)), codeOf(at)])
  let level = [...nested]
  while (level.length > 0) {
    const back = level.find(({ code }) => code === own)
    if (back) return trail(key(back))
    const rows = await queries.rows(sql<{ asked: string; nested: Nested[] }>`
      select asked.key as asked, v.nested
        from unnest(${level.map(key)}::text[], ${level.map(({ code }) => code)}::text[],
                    ${level.map(({ version }) => version ?? null)}::int[]) as asked (key, code, version)
        join workflows w on w.project_id = ${projectId}::uuid and w.code = asked.code
        join workflow_versions v on v.workflow_id = w.id and v.version = coalesce(asked.version, w.latest_published_version)
       where v.published_at is not null`)
    const next = rows.flatMap(row => row.nested.map(each => ({ each, from: row.asked })))
    level = []
    for (const { each, from } of next) {
      if (above.has(key(each))) continue
      above.set(key(each), from)
      level.push(each)
    }
  }
  return undefined
}

/** Publishing in a project is one at a time: two that would close a circle together see each other. */
export const holdPublishing = (queries: Queries, projectId: string): Promise<unknown> =>
  holdNamed(queries, `workflows.publish:${projectId}`)
