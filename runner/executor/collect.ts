import { createHash } from 'node:crypto'
import { constants, createReadStream, type Dirent } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fromJson } from '../../json/from-json.ts'
import { type Labels, wrongLabels } from '../../json/labels.ts'
import { places, refuseLinks } from '../step/step-folder.ts'
import { hasNothingMore } from '../step/step-folders.ts'
import type { Collected } from '../supervisor/executor-protocol.ts'

const mostArtefacts = 1_000
const largestResult = 16 * 1_048_576
const largestLabels = 8 * 1_048_576
/** Limits of the service for artefacts (`limits`), repeated because this program is bundled without shared modules. */
const largestArtefact = 256 * 1_048_576
const longestName = 1_024

/** Collects the files that the step has left for the service. */
export async function collect(work: string, step: string): Promise<Collected> {
  const folder = places.step(work, step)
  refuseLinks(work, folder)
  if (hasNothingMore(folder)) return { problems: [], artefacts: [] }
  const problems: string[] = []
  const labels = await readLabels(places.labels(work, step)).catch((error: Error) => {
    problems.push(`the artefacts are kept without labels: ${error.message}`)
    return {}
  })
  const artefacts = await listArtefacts(places.artefacts(work, step), labels, problems)
  const read = await readResult(places.result(work, step)).catch((error: Error) => ({ unreadable: error.message }))
  return { ...read, problems, artefacts }
}

async function readResult(path: string): Promise<{ result?: string }> {
  const result = await readText(path, largestResult)
  return result === undefined ? {} : { result }
}

type LabelsByName = { readonly [name: string]: Labels }

async function readLabels(path: string): Promise<LabelsByName> {
  const text = await readText(path, largestLabels)
  if (text === undefined) return {}
  const read = parsed(text, basename(path))
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Error(`${basename(path)} should be {"<name of a file>": {"<label>": "<text>"}}`)
  for (const [name, labels] of Object.entries(read)) {
    const wrong = wrongLabels(labels)
    if (wrong) throw new Error(`${basename(path)} is malformed at ${JSON.stringify(name)}: ${wrong}`)
  }
  return read as LabelsByName
}

function parsed(text: string, name: string): unknown {
  try {
    return fromJson(text)
  } catch (error) {
    throw new Error(`${name} is no JSON: ${(error as Error).message}`)
  }
}

async function readText(path: string, largest: number): Promise<string | undefined> {
  const name = basename(path)
  // Neither a link to another user's file nor a FIFO that never ends.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${name} cannot be read: ${error.code === 'ELOOP' ? 'it is a link' : error.message}`)
  })
  if (!file) return undefined
  try {
    const about = await file.stat()
    if (!about.isFile()) throw new Error(`${name} is not a file`)
    if (about.size > largest) throw new Error(`${name} has ${about.size} bytes; at most ${largest} are read`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile())
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`${name} is not UTF-8`)
    throw error
  } finally {
    await file.close()
  }
}

async function listArtefacts(
  folder: string,
  labels: LabelsByName,
  problems: string[],
): Promise<Collected['artefacts']> {
  const entries = await readdirOf(folder).catch((error: Error) => {
    problems.push(`the folder of the artefacts cannot be read: ${error.message}`)
    return []
  })
  const files = entries.filter(entry => !entry.isDirectory())
  if (files.length > mostArtefacts)
    problems.push(`the step left ${files.length} artefacts; the first ${mostArtefacts} are kept`)
  const found: Collected['artefacts'] = []
  const left = new Set(files.map(entry => relative(folder, join(entry.parentPath, entry.name))))
  for (const name of Object.keys(labels))
    if (!left.has(name)) problems.push(`the labels of ${name} are not kept: the step left no such artefact`)
  for (const entry of files.slice(0, mostArtefacts)) {
    const file = join(entry.parentPath, entry.name)
    const name = relative(folder, file)
    const about = await lstat(file).catch(() => undefined)
    const byteSize = about?.size ?? 0
    if (!about?.isFile()) problems.push(`the artefact ${name} is not kept: it is no ordinary file`)
    else if (byteSize > largestArtefact)
      problems.push(`the artefact ${name} is not kept: ${byteSize} bytes are more than ${largestArtefact}`)
    else if (Buffer.byteLength(name) > longestName)
      problems.push(
        `the artefact ${name} is not kept: its path has ${Buffer.byteLength(name)} bytes, and may have ${longestName}`,
      )
    else {
      const its = Object.hasOwn(labels, name) ? { labels: labels[name]! } : undefined
      found.push({ name, file, byteSize, sha256: await hashOf(file, byteSize), ...its })
    }
  }
  return found
}

async function readdirOf(folder: string): Promise<Dirent[]> {
  if (!(await lstat(folder)).isDirectory()) throw new Error('something else is in its place')
  return readdir(folder, { recursive: true, withFileTypes: true })
}

/** Hash of the first `byteSize` bytes: bytes appended meanwhile are not stored. */
async function hashOf(file: string, byteSize: number): Promise<string> {
  const hash = createHash('sha256')
  if (byteSize > 0) for await (const piece of createReadStream(file, { end: byteSize - 1 })) hash.update(piece)
  return hash.digest('hex')
}
