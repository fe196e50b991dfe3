import { createHash } from 'node:crypto'
import { constants, createReadStream, type Dirent } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Collected } from './executor-protocol.ts'
import { hasNothingMore, places, refuseLinks } from './step-folder.ts'

const mostArtefacts = 1_000
const largestResult = 16 * 1_048_576
const largestArtefact = 256 * 1_048_576

/** What the step has left for the service. */
export async function collect(work: string, step: string): Promise<Collected> {
  const folder = places.step(work, step)
  refuseLinks(work, folder)
  if (hasNothingMore(folder)) return { problems: [], artefacts: [] }
  const problems: string[] = []
  const artefacts = await listArtefacts(places.artefacts(work, step), problems)
  const read = await readResult(places.result(work, step)).catch((error: Error) => ({ unreadable: error.message }))
  return { ...read, problems, artefacts }
}

async function readResult(path: string): Promise<{ result?: string }> {
  // Neither a link to someone else's file nor a FIFO that never ends.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`step_result.json cannot be read: ${error.code === 'ELOOP' ? 'it is a link' : error.message}`)
  })
  if (!file) return {}
  try {
    const about = await file.stat()
    if (!about.isFile()) throw new Error('step_result.json is not a file')
    if (about.size > largestResult)
      throw new Error(`step_result.json has ${about.size} bytes; at most ${largestResult} are read`)
    return { result: new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile()) }
  } catch (error) {
    if (error instanceof TypeError) throw new Error('step_result.json is not UTF-8')
    throw error
  } finally {
    await file.close()
  }
}

async function listArtefacts(folder: string, problems: string[]): Promise<Collected['artefacts']> {
  const entries = await readdirOf(folder).catch((error: Error) => {
    problems.push(`the folder of the artefacts cannot be read: ${error.message}`)
    return []
  })
  const files = entries.filter(entry => !entry.isDirectory())
  if (files.length > mostArtefacts)
    problems.push(`the step left ${files.length} artefacts; the first ${mostArtefacts} are kept`)
  const found: Collected['artefacts'] = []
  for (const entry of files.slice(0, mostArtefacts)) {
    const file = join(entry.parentPath, entry.name)
    const name = relative(folder, file)
    const about = await lstat(file).catch(() => undefined)
    const byteSize = about?.size ?? 0
    if (!about?.isFile()) problems.push(`the artefact ${name} is not kept: it is no ordinary file`)
    else if (byteSize > largestArtefact)
      problems.push(`the artefact ${name} is not kept: ${byteSize} bytes are more than ${largestArtefact}`)
    else found.push({ name, file, byteSize, sha256: await hashOf(file) })
  }
  return found
}

async function readdirOf(folder: string): Promise<Dirent[]> {
  if (!(await lstat(folder)).isDirectory()) throw new Error('something else stands in its place')
  return readdir(folder, { recursive: true, withFileTypes: true })
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}
