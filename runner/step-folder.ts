import { createHash } from 'node:crypto'
import { constants, createReadStream, type Dirent, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import type { FileToWrite } from '../src/platform/runner-protocol.ts'
import type { FrameWriter } from './body-output.ts'
import { type Collected, frame, type Questions, type StepPlace } from './executor-protocol.ts'

/** Where things lie below the folder that a runner's steps work in. */
export const places = {
  copy: (work: string, folder: string) => join(work, 'copy', folder),
  home: (work: string) => join(work, 'home'),
  temporary: (work: string) => join(work, 'tmp'),
  step: (work: string, step: string) => join(work, 'steps', step),
  context: (work: string, step: string) => join(work, 'steps', step, 'step_context.json'),
  result: (work: string, step: string) => join(work, 'steps', step, 'step_result.json'),
  artefacts: (work: string, step: string) => join(work, 'steps', step, 'artefacts'),
} as const

const mostArtefacts = 1_000
const largestResult = 16 * 1_048_576
const largestArtefact = 256 * 1_048_576

/**
 * Lays out what the step will find; answers where its scripts are. Without awaiting what is small: eight turns through
 * Node's pool of threads take ten times as long as the calls themselves (2.7 ms of each step).
 */
export async function prepare(work: string, ask: Questions['prepare']['ask']): Promise<Questions['prepare']['answer']> {
  const copy = places.copy(work, '')
  refuseLinks(work, copy)
  for (const folder of [places.artefacts(work, ask.step), places.home(work), places.temporary(work)]) {
    refuseLinks(work, folder)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
  if (!isFolder(places.copy(work, ask.folder))) throw new Error(`the repository has no folder ${ask.folder}`)
  writeFileSync(places.context(work, ask.step), ask.context, { mode: 0o600 })
  for (const file of ask.files) await writeInto(copy, file)
  const scripts = ask.scripts.map((_, i) => join(places.step(work, ask.step), `script-${i + 1}`))
  for (const [i, path] of scripts.entries()) writeFileSync(path, ask.scripts[i]!, { mode: 0o700 })
  return { scripts }
}

/**
 * The executor sees more than a sandboxed step does. Where a step has put a link in the place of one of these folders, it
 * would read or write elsewhere for it.
 */
function refuseLinks(work: string, path: string): void {
  let at = work
  for (const name of relative(work, path).split(sep)) {
    at = join(at, name)
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (!found) return
    if (!found.isDirectory()) throw new Error(`${relative(work, at)} in the runner's folder is no folder any more`)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

async function writeInto(copy: string, { path, mode, content }: FileToWrite): Promise<void> {
  const target = join(copy, path)
  if (posix.isAbsolute(path) || relative(copy, target).startsWith('..')) throw outside(path)
  await mkdir(dirname(target), { recursive: true })
  // The repository may hold a link to a folder elsewhere.
  const folder = await realpath(dirname(target))
  if (relative(await realpath(copy), folder).startsWith('..')) throw outside(path)
  await rm(target, { force: true })
  await writeFile(target, Buffer.from(content, 'base64'), { mode: 0o600 })
  await chmod(target, Number.parseInt(mode ?? '0644', 8))
}

const outside = (path: string) => new Error(`sluice.files: ${path} lies outside of the working copy`)

/** What the step has left for the service. */
export async function collect(work: string, { step }: StepPlace): Promise<Collected> {
  refuseLinks(work, places.step(work, step))
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

export async function sendPiece(piece: Questions['send']['ask'], frames: FrameWriter): Promise<void> {
  const { file, from, length, channel } = piece
  for await (const bytes of createReadStream(file, { start: from, end: from + length - 1 })) {
    frames.write(frame.artefact, channel, bytes)
    await frames.room()
  }
  frames.write(frame.end, channel, Buffer.alloc(0))
}

export async function removeFolder(work: string, step: string): Promise<void> {
  const folder = step === '' ? work : places.step(work, step)
  if (step !== '') return await rm(folder, { recursive: true, force: true })
  // The folder itself belongs to the runner.
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}
