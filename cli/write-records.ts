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
  /** A file of attributes in YAML or JSON; words on the command line go before it. */
  data?: string
  merge?: boolean
  meta?: string[]
  /** Until what was asked for with it is over. */
  wait?: boolean
}

export async function create(
  terminal: Terminal,
  type: string,
  words: readonly string[],
  options: WriteOptions,
): Promise<number> {
  const kind = kindNamed(type)
  if (kind.creates.length === 0) throw new WrongUsage(`Nobody makes ${plural(kind.type)}: they come by themselves.`)
  const { where, given } = sorted(words)
  const { operation, path } = placeAmong(kind.creates, where, `Where should the ${kind.type} be`)
  return write(terminal, kind, operation, path, given, options)
}

export async function update(
  terminal: Terminal,
  type: string,
  words: readonly string[],
  options: WriteOptions,
): Promise<number> {
  const kind = kindNamed(type)
  if (kind.updates.length === 0) throw new WrongUsage(`${atFirst(kind.type)} cannot be changed.`)
  const { where, given } = sorted(words)
  const path = await addressOf(terminal, kind, kind.updates, where)
  const operation = kind.updates.find(each => matches(each.path, path)) ?? kind.updates[0]!
  if (!options.merge) return write(terminal, kind, operation, path, given, options)
  await merge(terminal, kind, operation, path, given, options)
  return 0
}

/** Archiving is a DELETE where there is one that archives, and an attribute otherwise. */
export async function archive(terminal: Terminal, type: string, where: readonly string[]): Promise<void> {
  const kind = kindNamed(type)
  const removal = kind.removes.filter(operation => verbOf(operation) === 'archive')
  const byAttribute = kind.updates.filter(({ attributes }) => attributes && 'archived' in attributes)
  if (removal.length === 0 && byAttribute.length === 0)
    throw new WrongUsage(`${atFirst(kind.type)} cannot be archived.`)
  if (removal.length > 0) {
    const { path } = placeAmong(removal, where, `Which ${kind.type}`)
    await terminal.sluice.remove(path)
  } else {
    const { operation, path } = placeAmong(byAttribute, where, `Which ${kind.type}`)
    await terminal.sluice.send(operation.method, path, { data: { attributes: { archived: true } } })
  }
  terminal.say(`Archived: ${where.join(' ')}`)
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
  if (force && !takesForce(operation)) throw new WrongUsage(`--force means nothing to ${one(kind.type)}.`)
  if (verb === 'cancel') throw new WrongUsage(`${atFirst(kind.type)} is cancelled: sluice ${plural(kind.type)} cancel`)
  if (verb === 'archive' && !force)
    throw new WrongUsage(
      `${atFirst(kind.type)} is archived: sluice archive ${kind.type} ${where.join(' ')}\nTo destroy it with everything beneath it: --force`,
    )
  const question = force ? `Destroy ${path} with everything beneath it?` : `Delete ${path}?`
  if (!(await confirmed(question, yes))) return
  await terminal.sluice.remove(path, force ? { ignore_in_use: true } : {})
  // A workflow that has run is archived instead.
  const kept = !force && 'archived' in kind.attributes && (await terminal.sluice.find(path)) !== undefined
  const done = force ? 'Destroyed' : kept ? 'Archived, for it has been used' : 'Deleted'
  terminal.say(`${done}: ${where.join(' ')}`)
}

async function write(
  terminal: Terminal,
  kind: RecordKind,
  { method, attributes: fields = {} }: Operation,
  path: string,
  given: readonly string[],
  options: WriteOptions,
): Promise<number> {
  if (options.wait && !canBeWaitedFor(kind.type))
    throw new WrongUsage(`--wait means nothing here: ${one(kind.type)} is whole once it is written.`)
  const attributes = { ...fromFile(options.data), ...attributesFrom(given, fields, readInput) }
  const meta = options.meta && attributesFrom(options.meta, anyValues(options.meta), readInput)
  const answer = await terminal.sluice.send(method, path, { data: { attributes, ...(meta && { meta }) } })
  if (!answer?.data) return 0
  const { warnings = [], ...once } = (answer.meta ?? {}) as { warnings?: readonly Warning[] }
  for (const each of warnings) terminal.say(`Warning: ${warningText(each)}`)
  if (options.wait) return waitForRecord(terminal, answer.data as Resource)
  terminal.write(recordText(kind, withOnce(answer as Document<Resource>, once, terminal), terminal))
  return 0
}

/**
 * A secret that is shown once is shown here or never, and where a program reads it: what is said besides ends in the logs
 * of whatever runs us. It is beside the record as the service sent it, and a line or a column of its own for people.
 */
function withOnce({ data, meta }: Document<Resource>, once: object, { format }: Terminal): Resource {
  if (format === 'json' || format === 'yaml') return meta ? { ...data, meta } : data
  return { ...data, attributes: { ...data.attributes, ...once } }
}

/** Parts of a document: what is null goes, what is not named stays (RFC 7396). */
async function merge(
  terminal: Terminal,
  kind: RecordKind,
  operation: Operation,
  path: string,
  given: readonly string[],
  options: WriteOptions,
): Promise<void> {
  if (!operation.patches)
    throw new WrongUsage(`${atFirst(kind.type)} takes no --merge: what is not named stays as it is.`)
  const { data, ...others } = {
    ...fromFile(options.data),
    ...attributesFrom(given, operation.attributes ?? {}, readInput),
  } as Record<string, unknown>
  if (data === undefined || Object.keys(others).length > 0)
    throw new WrongUsage('--merge changes the document: data.name=value, or data=@file')
  const answer = await terminal.sluice.send(operation.method, path, { patch: data })
  if (answer?.data) terminal.write(recordText(kind, answer.data as Resource, terminal))
}

/** true is true, and 1 a number. */
const anyValues = (words: readonly string[]): Record<string, Field> =>
  Object.fromEntries(words.map(word => [word.split('=')[0]!, { kind: 'any' }]))

/** What was done all the same, and may not be what was meant. */
type Warning = string | { readonly detail: string }

const warningText = (warning: Warning): string => (typeof warning === 'string' ? warning : warning.detail)
