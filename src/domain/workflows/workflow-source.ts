import Type from 'typebox'
import type { Need } from '#platform/actor.ts'
import { readApart } from '#platform/threads/read-apart.adapter.ts'
import type { Node } from '../nodes/index.ts'
import { holdsPlaceholder } from './placeholders.ts'
import { type ParsedWorkflow, parseWorkflow } from './read-workflow.ts'
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
export const readSource = async (source: string): Promise<Written> => ({ source, parsed: await parsed(source) })

async function parsed(source: string): Promise<ParsedWorkflow> {
  const module = new URL('./read-workflow.ts', import.meta.url)
  const read = await readApart(source.length, parseWorkflow, module, source)
  return read === 'too-much' ? { errors: [{ line: 1, column: 1, pointer: '', message: tooMuch }] } : read
}

const tooMuch = 'It takes too much time or memory to read: it holds very many values. Make several workflows of it.'
