import { run as texts } from '../../messages/run.ts'
import { typedText, typedValue } from './typed-value.ts'

/** Metadata of an activity: values of any type by their names. */
export type Metadata = Readonly<Record<string, unknown>>

interface ReadMetadata {
  readonly values: Metadata
  /** What is wrong with the first line that cannot be read. */
  readonly fault?: string
}

/** Reads metadata from `name=value` lines; values keep their type by the rule of `typedValue`. */
export function readMetadata(text: string): ReadMetadata {
  const values = new Map<string, unknown>()
  for (const line of linesOf(text)) {
    const pair = pairOf(line)
    if (pair === undefined) return { values: {}, fault: texts.metadataFault(line) }
    const read = typedValue(pair.value)
    if ('fault' in read) return { values: {}, fault: texts.metadataValueFault(line, read.fault) }
    if (values.has(pair.name)) return { values: {}, fault: texts.metadataTwice(pair.name) }
    values.set(pair.name, read.value)
  }
  return { values: Object.fromEntries(values) }
}

/** Metadata as the field shows it, so that reading the lines gives the same values. */
export const metadataText = (metadata: unknown): string =>
  Object.entries((metadata ?? {}) as Metadata)
    .map(([name, value]) => `${nameText(name)}=${typedText(value)}`)
    .join('\n')

/** Lines of a text that have content. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** Name and text of the value; a name in quotes is JSON. Undefined for a line that lacks one of them. */
function pairOf(line: string): { readonly name: string; readonly value: string } | undefined {
  const [quoted] = /^"(?:[^"\\]|\\.)*"(?=\s*=)/.exec(line) ?? []
  const at = line.indexOf('=', quoted?.length ?? 0)
  const value = line.slice(at + 1).trim()
  if (at <= 0 || value === '') return undefined
  const name = quoted === undefined ? { value: line.slice(0, at).trim() } : typedValue(quoted)
  return 'value' in name && typeof name.value === 'string' ? { name: name.value, value } : undefined
}

const nameText = (name: string): string => (/^[^\s"=](?:[^=\n\r]*[^\s=])?$/.test(name) ? name : JSON.stringify(name))
