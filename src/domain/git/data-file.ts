import type { FileFault } from '#authoring/files/file-fault.ts'
import { fileText } from '#authoring/files/file-text.ts'
import { readJson } from '#authoring/files/json-file.ts'
import { readToml } from '#authoring/files/toml-file.ts'
import { readYaml, yamlToJson } from '#authoring/files/yaml-file.ts'
import { isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { readApart } from '#platform/threads/read-apart.adapter.ts'

/** Maximum number of bytes of a file of properties. */
const dataFileLimit = 1_048_576

const forms: Readonly<Record<string, (file: string, text: string) => { value: Json } | { faults: FileFault[] }>> = {
  json: readJson,
  yaml,
  yml: yaml,
  toml: readToml,
}

/**
 * Whether a file is a data file. Hidden files are not: editors, and macOS with its `._a.yaml`, leave such files beside
 * those that people write.
 */
export const isDataFile = (path: string): boolean =>
  !path.slice(path.lastIndexOf('/') + 1).startsWith('.') &&
  path.includes('.') &&
  Object.hasOwn(forms, extensionOf(path))

/**
 * Bytes that each file counts in addition to its own: for thousands of small files their number determines the time.
 */
const eachCosts = 64

interface DataFile {
  readonly path: string
  readonly bytes: Uint8Array
}

type ReadFile = { readonly path: string } & ReturnType<typeof readDataFile>

/** Reads many data files; large ones in a thread. `too-much`: they are too large to be read at all. */
export async function readDataFiles(files: readonly DataFile[]): Promise<readonly ReadFile[] | 'too-much'> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length + eachCosts, 0)
  return readApart(size, readEach, import.meta.url, files)
}

/** Reads files; called by the thread. */
export const readEach = (files: readonly DataFile[]): readonly ReadFile[] =>
  files.map(({ path, bytes }) => ({ path, ...readDataFile(path, bytes) }))

/**
 * Parses a JSON, YAML or TOML file as an object, or returns all of its faults. A file without content (empty, comments
 * only, `---`, null) is an empty object.
 */
export function readDataFile(file: string, bytes: Uint8Array): { content: JsonObject } | { faults: FileFault[] } {
  const whole = (message: string) => ({ faults: [{ file, line: 1, column: 1, message }] })
  if (bytes.length > dataFileLimit) return whole(`The file has more than ${dataFileLimit} bytes.`)
  const decoded = fileText(file, bytes)
  if ('faults' in decoded) return decoded
  if (decoded.text.trim() === '') return { content: objectOf([]) }
  const read = forms[extensionOf(file)]!(file, decoded.text)
  if ('faults' in read) return read
  if (read.value === null) return { content: objectOf([]) }
  return isObject(read.value) ? { content: read.value } : whole('The file must hold an object: keys with values.')
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase()

function yaml(file: string, text: string): { value: Json } | { faults: FileFault[] } {
  const read = readYaml(file, text)
  if ('faults' in read) return read
  return read.contents === null ? { value: null } : yamlToJson(read, read.contents)
}
