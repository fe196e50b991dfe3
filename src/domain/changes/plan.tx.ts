import { createHash } from 'node:crypto'
import type { Queries } from '#platform/db/database.ts'
import { isObject, type Json, type JsonObject } from '#platform/documents/document.ts'
import type { Site } from '#platform/site.ts'
import type { Node } from '../nodes/index.ts'
import { catalogue, hideSecrets } from '../settings/index.ts'
import { segmentsOf } from '../steps/for-changes.ts'
import type { StepDefinition } from '../steps/index.ts'
import { nameOf } from './change.ts'
import type { Origin } from './origin.tx.ts'
import { type Outlook, outlookOf } from './outlook.store.ts'
import type { ChangeParts } from './parts.port.ts'
import { runSettings } from './run-settings.ts'

/** Facts that together decide what a change runs. */
export interface Planned {
  readonly node: Node
  readonly action: string
  readonly origin: Origin
  readonly commitSha: string
  readonly tree: StepDefinition
  readonly settings: JsonObject
  readonly propertyOverrides: JsonObject
  /** Full paths of the steps that a retry takes over. */
  readonly kept?: readonly string[] | undefined
}

/** Parts of a plan, in the order of their digits in its `plan_sha`, with the text that reports a change of the part. */
const parts = {
  commit: 'the commit or the template version',
  steps: 'the steps or who approves them',
  properties: 'the properties',
  settings: 'the settings',
} as const

type Part = keyof typeof parts

export interface Plan {
  /** Hash over all parts of the plan. */
  readonly sha256: string
  /** Hash of the plan, and behind a dot eight digits for each part, which show which of them has changed. */
  readonly planSha: string
  readonly properties: JsonObject
  readonly settings: JsonObject
}

/** The plan of a change, existing or not: at that commit, with the properties as they are now. */
export async function planOf(
  { converge }: Pick<ChangeParts, 'converge'>,
  queries: Queries,
  { node, action, origin, commitSha, tree, settings, propertyOverrides, kept }: Planned,
): Promise<Plan> {
  const { data: properties } = await converge(queries, node, {
    change: {
      overrides: propertyOverrides,
      repoFolder: String(settings['repo_folder']),
      commit: { gitRemoteId: origin.gitRemoteId, commitSha },
      ...(origin.templateVersionId && { templateVersionId: origin.templateVersionId }),
    },
  })
  const ofChanges = hideSecrets(
    Object.fromEntries(Object.entries(settings).filter(([key]) => concernsChanges(key))) as JsonObject,
  )
  const documents: Record<Part, Json> = {
    commit: [node.path, action, origin.gitRemoteName, commitSha, origin.templateVersion],
    steps: (kept ? [tree, kept] : tree) as unknown as Json,
    properties,
    settings: ofChanges,
  }
  const hashes = (Object.keys(parts) as Part[]).map(part => hashOf(documents[part]))
  const sha256 = hashOf(hashes)
  const hints = hashes.map(hash => hash.slice(0, 8)).join('')
  return { sha256, planSha: `${sha256}.${hints}`, properties, settings: ofChanges }
}

/**
 * Whether a setting is part of a plan: settings of the whole installation only affect when a change runs, not what it
 * runs; and its approvers are in its tree.
 */
const concernsChanges = (key: string): boolean =>
  key !== 'requires_approval_from' && catalogue[key]?.levels.some(level => level !== 'global') === true

/** The order of keys does not matter. */
const hashOf = (value: Json): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')

function sorted(value: Json): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)])
}

/** Parts that have changed since this `plan_sha` or `sha256` was issued; undefined: none. */
export function movedSince(given: string, now: Plan): string | undefined {
  const [sha256, hints] = given.split('.')
  if (sha256 === now.sha256) return undefined
  const before = hints?.match(/.{8}/g)
  const after = now.planSha.split('.')[1]!.match(/.{8}/g)!
  const moved = Object.values(parts).filter((_, at) => before?.[at] !== after[at])
  return (moved.length > 0 ? moved : Object.values(parts)).join(', ')
}

/**
 * Activities that it would queue behind, and how long it took before.
 *
 * @param itself id of a change that is created only to be planned
 */
export const waitingOf = (
  queries: Queries,
  { site, node, action, settings }: Pick<Planned, 'node' | 'action' | 'settings'> & { readonly site: Site },
  itself: string | null,
): Promise<Outlook> =>
  outlookOf(queries, {
    site,
    name: nameOf(node.path, action).toLowerCase(),
    nodeId: node.id,
    allowSameName: runSettings(settings).allowSameName,
    itself,
  })

/** The tree as people read it: without the scripts of its steps. */
export const shownSteps = (step: StepDefinition, fullPath = segmentsOf([step])[0]!): JsonObject => {
  const {
    step_name,
    action,
    step_type,
    child_execution_strategy,
    ignore_failure,
    skip_requested,
    requires_approval_from,
    children,
  } = step
  const segments = segmentsOf(children)
  return {
    step_name,
    full_path: fullPath,
    action,
    step_type,
    child_execution_strategy,
    ignore_failure,
    skip_requested: skip_requested ?? false,
    requires_approval_from: requires_approval_from ?? [],
    children: children.map((child, at) => shownSteps(child, `${fullPath}/${segments[at]}`)),
  } as unknown as JsonObject
}

/** All rules of approval in a tree, root first. */
export const approvalsIn = ({ requires_approval_from, children }: StepDefinition): readonly object[] => [
  ...(requires_approval_from ?? []),
  ...children.flatMap(approvalsIn),
]
