import { parse as parseToml } from 'smol-toml'
import { documentFaults, isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { readApart } from '#platform/threads/read-apart.adapter.ts'
import type { FileFault } from './file-fault.ts'
import { readJson } from './json-file.ts'
import { readYaml, yamlToJson } from './yaml-file.ts'

/** Bytes that one file of properties may have. */
const dataFileLimit = 1_048_576

const forms: Readonly<Record<string, (file: string, text: string) => { value: Json } | { faults: FileFault[] }>> = {
  json: readJson,
  yaml,
  yml: yaml,
  toml,
}

export const isDataFile = (path: string): boolean => Object.hasOwn(forms, extensionOf(path))

/** Bytes that a file counts for beside its own: of thousands of small ones it is their number that takes long. */
const eachCosts = 64

interface DataFile {
  readonly path: string
  readonly bytes: Uint8Array
}

type ReadFile = { readonly path: string } & ReturnType<typeof readDataFile>

/** Many of them; where they are large it is done in a thread. `too-much`: they are too large to be read at all. */
export async function readDataFiles(files: readonly DataFile[]): Promise<readonly ReadFile[] | 'too-much'> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length + eachCosts, 0)
  return readApart(size, readEach, import.meta.url, files)
}

/** As the thread calls it. */
export const readEach = (files: readonly DataFile[]): readonly ReadFile[] =>
  files.map(({ path, bytes }) => ({ path, ...readDataFile(path, bytes) }))

/** A JSON, YAML or TOML file as the object that it must hold, or all that is wrong with it. */
export function readDataFile(file: string, bytes: Uint8Array): { content: JsonObject } | { faults: FileFault[] } {
  const whole = (message: string) => ({ faults: [{ file, line: 1, column: 1, message }] })
  if (bytes.length > dataFileLimit) return whole(`The file has more than ${dataFileLimit} bytes.`)
  const text = decode(bytes)
  if (text === undefined) return whole('The file is not UTF-8.')
  const read = forms[extensionOf(file)]!(file, text)
  if ('faults' in read) return read
  return isObject(read.value) ? { content: read.value } : whole('The file must hold an object: keys with values.')
}

export function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function yaml(file: string, text: string): { value: Json } | { faults: FileFault[] } {
  const read = readYaml(file, text)
  // A file of nothing but comments says nothing, which is an object without keys.
  if ('faults' in read) return read
  return read.contents === null ? { value: objectOf([]) } : yamlToJson(read, read.contents)
}

function toml(file: string, text: string): { value: Json } | { faults: FileFault[] } {
  try {
    const value = plain(parseToml(text, { maxDepth: 64 }))
    const faults = documentFaults(value, '')
    if (faults.length === 0) return { value }
    // The parser keeps no positions of values; the pointer names the place.
    return {
      faults: faults.map(({ detail, source }) => ({
        file,
        line: 1,
        column: 1,
        message: `${source?.pointer}: ${detail}`,
      })),
    }
  } catch (error) {
    const { line, column, message } = error as Error & { line?: number; column?: number }
    if (line === undefined || column === undefined) throw error
    return { faults: [{ file, line, column, message: message.split('\n')[0]! }] }
  }
}

/** Dates as text, in the form in which TOML writes them; numbers that JSON lacks as such text too. */
function plain(value: unknown): Json {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (isObject(value)) return objectOf(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : (value as Json)
}
