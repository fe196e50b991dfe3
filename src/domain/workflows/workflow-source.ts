import { availableParallelism } from 'node:os'
import Type from 'typebox'
import { holdsPlaceholder } from '#authoring/workflows/placeholders.ts'
import { type ParsedWorkflow, parseWorkflow } from '#authoring/workflows/read-workflow.ts'
import { workflowLimits } from '#authoring/workflows/workflow-limits.ts'
import type { Actor, Need } from '#platform/actor.ts'
import { KeyedSemaphore } from '#platform/keyed-semaphore.ts'
import { readAtOnce, readWithin } from '#platform/threads/read-apart.adapter.ts'
import type { Node } from '../nodes/index.ts'
import type { Written } from './workflow.store.ts'

export const sourceSchema = Type.String({
  maxLength: workflowLimits.bytes,
  description: 'Steps as YAML, at most 1 MiB. A draft may contain errors; publishing returns all of them.',
})

/** A source of 1 MiB, in which JSON may have to escape every other character. */
export const bodyLimit = 4 * workflowLimits.bytes

/** Rights needed to see the values of properties that are inserted into a workflow. */
export const toReadProperties = (project: Node, source: unknown): Need[] =>
  typeof source === 'string' && holdsPlaceholder(source) ? [{ right: 'read', path: `${project.path}/properties` }] : []

/** Parses a source in the form in which a version stores it: unchanged, even with faults. */
export type ReadSource = (source: string, by: Pick<Actor, 'username'>) => Promise<Written>

/**
 * Parses large sources in threads, which need processors and memory: one thread for each user, with one processor left
 * for everything else.
 */
export function sourceReader(processors = availableParallelism()): ReadSource {
  const turns = new KeyedSemaphore({ total: Math.max(1, processors - 1), perKey: 1 })
  return async (source, { username }) => {
    const read = () => parsed(source)
    return { source, parsed: source.length <= readAtOnce ? await read() : await turns.take(username, read) }
  }
}

const limits = { seconds: 30, mebibytes: 512 }

async function parsed(source: string): Promise<ParsedWorkflow> {
  const module = import.meta.resolve('#authoring/workflows/read-workflow.ts')
  const read = await readWithin(limits, source.length, parseWorkflow, module, source)
  return read === 'too-much' ? { errors: [{ line: 1, column: 1, pointer: '', message: tooMuch }] } : read
}

const tooMuch = 'It takes too much time or memory to read: it holds very many values. Make several workflows of it.'
