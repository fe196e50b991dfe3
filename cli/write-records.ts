import { type Field, matches, type Operation } from '../client/operation.ts'
import type { Document, Resource } from '../client/sluice.ts'
import { addressOf } from './address.ts'
import { attributesFrom } from './attributes.ts'
import { fromFile, readInput, sorted } from './input.ts'
import { recordText } from './output.ts'
import { placeAmong } from './place.ts'
import { atFirst, kindNamed, one, plural, type RecordKind, takesForce, verbOf } from './record-kinds.ts'
import { confirmed, type Terminal } from './terminal.ts'
import { canBeWaitedFor, waitForRecord } from './wait-for-record.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface WriteOptions {
  /** YAML or JSON file of attributes; arguments on the command line take precedence. */
  data?: string
  merge?: boolean
  meta?: string[]
  /** Wait until the processing of the record has ended. */
  wait?: boolean
}

export async function create(
  terminal: Terminal,
  type: string,
  words: readonly string[],
  options: WriteOptions,
): Promise<number> {
  const kind = kindNamed(type)
  if (kind.creates.length === 0)
    throw new WrongUsage(
      `${atFirst(kind.type)} cannot be created by a request; the service creates ${plural(kind.type)}.`,
    )
  const { where, given } = sorted(words)
  const { operation, path } = placeAmong(kind.creates, where, `Specify where to create the ${kind.type}`)
  return write(terminal, 'create', kind, operation, path, given, options)
}

export async function update(
  terminal: Terminal,
  type: string,
  words: readonly string[],
  options: WriteOptions,
): Promise<number> {
  const kind = kindNamed(type)
  if (kind.updates.length === 0) throw new WrongUsage(`${atFirst(kind.type)} cannot be updated.`)
  const { where, given } = sorted(words)
  const path = await addressOf(terminal, kind, kind.updates, where)
  const operation = kind.updates.find(each => matches(each.path, path)) ?? kind.updates[0]!
  if (!options.merge) return write(terminal, 'update', kind, operation, path, given, options)
  await merge(terminal, kind, operation, path, given, options)
  return 0
}

/** Archives a record by a DELETE that archives or, if there is none, by its attribute `archived`. */
export async function archive(terminal: Terminal, type: string, where: readonly string[]): Promise<void> {
  const kind = kindNamed(type)
  const removal = kind.removes.filter(operation => verbOf(operation) === 'archive')
  const byAttribute = kind.updates.filter(({ attributes }) => attributes && 'archived' in attributes)
  if (removal.length === 0 && byAttribute.length === 0)
    throw new WrongUsage(`${atFirst(kind.type)} cannot be archived.`)
  if (removal.length > 0) {
    const { path } = placeAmong(removal, where, `Specify the ${kind.type} to archive`)
    await terminal.sluice.remove(path)
  } else {
    const { operation, path } = placeAmong(byAttribute, where, `Specify the ${kind.type} to archive`)
    await terminal.sluice.send(operation.method, path, { data: { attributes: { archived: true } } })
  }
  terminal.say(`Archived ${where.join(' ')}`)
}

export async function remove(
  terminal: Terminal,
  type: string,
  where: readonly string[],
  { force, yes }: { force?: boolean; yes?: boolean },
): Promise<void> {
  const kind = kindNamed(type)
  if (kind.removes.length === 0) throw new WrongUsage(`${atFirst(kind.type)} cannot be deleted.`)
  const path = await addressOf(terminal, kind, kind.removes, where)
  const operation = kind.removes.find(each => matches(each.path, path)) ?? kind.removes[0]!
  const verb = verbOf(operation)
  if (force && !takesForce(operation)) throw new WrongUsage(`--force cannot be used with ${one(kind.type)}.`)
  if (verb === 'cancel')
    throw new WrongUsage(
      `${atFirst(kind.type)} cannot be deleted, only cancelled: sluice ${plural(kind.type).replaceAll('_', '-')} cancel`,
    )
  if (verb === 'archive' && !force)
    throw new WrongUsage(
      `${atFirst(kind.type)} is archived instead of deleted: sluice archive ${kind.type} ${where.join(' ')}\nTo destroy it and all nodes below it, use --force.`,
    )
  const question = force ? `Destroy ${path} and all nodes below it?` : `Delete ${path}?`
  if (!(await confirmed(question, yes))) return
  await terminal.sluice.remove(path, force ? { ignore_in_use: true } : {})
  // A DELETE may archive instead, for example a workflow that has run.
  const kept = !force && 'archived' in kind.attributes && (await terminal.sluice.find(path)) !== undefined
  const done = force ? 'Destroyed' : kept ? 'Archived instead of deleted, because it is in use:' : 'Deleted'
  terminal.say(`${done} ${where.join(' ')}`)
}

async function write(
  terminal: Terminal,
  mode: 'create' | 'update',
  kind: RecordKind,
  { method, attributes: fields = {} }: Operation,
  path: string,
  given: readonly string[],
  options: WriteOptions,
): Promise<number> {
  if (options.wait && !canBeWaitedFor(kind.type))
    throw new WrongUsage(`--wait cannot be used here: ${one(kind.type)} is complete as soon as it is written.`)
  const attributes = { ...fromFile(options.data), ...attributesFrom(given, fields, readInput) }
  const meta = options.meta && attributesFrom(options.meta, anyValues(options.meta), readInput)
  const answer = await terminal.sluice.send(method, path, {
    data: { attributes, ...(meta && { meta }) },
    // A PUT would do either, whichever the command says.
    ...(method === 'PUT' && (mode === 'create' ? { ifNoneMatch: '*' } : { ifMatch: '*' })),
  })
  if (!answer?.data) return 0
  const { warnings = [], ...once } = (answer.meta ?? {}) as { warnings?: readonly Warning[] }
  for (const each of warnings) terminal.say(`Warning: ${warningText(each)}`)
  if (options.wait) return waitForRecord(terminal, answer.data as Resource)
  terminal.write(recordText(kind, withOnce(answer as Document<Resource>, once, terminal), terminal))
  return 0
}

/**
 * Adds a secret that the service returns only once to the output. Standard output only, because standard error often
 * ends up in logs. JSON and YAML keep it in `meta`; other formats show it as an attribute.
 */
function withOnce({ data, meta }: Document<Resource>, once: object, { format }: Terminal): Resource {
  if (format === 'json' || format === 'yaml') return meta ? { ...data, meta } : data
  return { ...data, attributes: { ...data.attributes, ...once } }
}

/** Merges into the existing document by RFC 7396: null removes a member, missing members are unchanged. */
async function merge(
  terminal: Terminal,
  kind: RecordKind,
  operation: Operation,
  path: string,
  given: readonly string[],
  options: WriteOptions,
): Promise<void> {
  if (!operation.patches)
    throw new WrongUsage(
      `--merge cannot be used with ${one(kind.type)}: attributes that are not given are left unchanged anyway.`,
    )
  const { data, ...others } = {
    ...fromFile(options.data),
    ...attributesFrom(given, operation.attributes ?? {}, readInput),
  } as Record<string, unknown>
  if (data === undefined || Object.keys(others).length > 0)
    throw new WrongUsage('--merge updates the document only: data.name=value, or data=@file')
  const answer = await terminal.sluice.send(operation.method, path, { patch: data })
  if (answer?.data) terminal.write(recordText(kind, answer.data as Resource, terminal))
}

/** Field definitions that parse literals such as true and 1. */
const anyValues = (words: readonly string[]): Record<string, Field> =>
  Object.fromEntries(words.map(word => [word.split('=')[0]!, { kind: 'any' }]))

/** Warning about a request that succeeded but may not be intended. */
type Warning = string | { readonly detail: string }

const warningText = (warning: Warning): string => (typeof warning === 'string' ? warning : warning.detail)
