import Type from 'typebox'
import type { Need } from '#platform/actor.ts'
import type { Node } from '../nodes/index.ts'
import { holdsPlaceholder } from './placeholders.ts'
import { parseWorkflow } from './read-workflow.ts'
import type { Written } from './workflow.store.ts'
import { workflowLimits } from './workflow-limits.ts'

export const sourceSchema = Type.String({
  maxLength: workflowLimits.bytes,
  description: 'The steps as YAML, 1 MiB at most. A draft may be wrong; publishing says everything that is.',
})

/** A source of 1 MiB, whose every other character JSON may have to escape. */
export const bodyLimit = 4 * workflowLimits.bytes

/** Whoever has properties put into a workflow is told of their values. */
export const toReadProperties = (project: Node, source: unknown): Need[] =>
  typeof source === 'string' && holdsPlaceholder(source) ? [{ right: 'read', path: `${project.path}/properties` }] : []

/** What a version is stored as: kept as it is, also when something is wrong with it. */
export const readSource = (source: string): Written => ({ source, parsed: parseWorkflow(source) })
