import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import type { FileToWrite } from '../../protocol/runner-protocol.ts'

/** Paths below the folder that a runner's steps work in. */
export const places = {
  copy: (work: string, folder: string) => join(work, 'copy', folder),
  home: (work: string) => join(work, 'home'),
  temporary: (work: string) => join(work, 'tmp'),
  /** Pipes of the supervisors of steps' processes. */
  pipes: (work: string) => join(work, 'pipes'),
  step: (work: string, step: string) => join(work, 'steps', step),
  context: (work: string, step: string) => join(work, 'steps', step, contextName),
  script: (work: string, step: string, index: number) => join(work, 'steps', step, scriptName(index)),
  result: (work: string, step: string) => join(work, 'steps', step, 'step_result.json'),
  artefacts: (work: string, step: string) => join(work, 'steps', step, artefactsName),
  /** Labels that a step gives the files that it leaves: `{<name>: {<label>: <text>}}`. */
  labels: (work: string, step: string) => join(work, 'steps', step, 'artefact_labels.json'),
} as const

export const contextName = 'step_context.json'
export const scriptName = (index: number): string => `script-${index + 1}`
export const artefactsName = 'artefacts'

/**
 * Refuses links in a path. The executor sees more than a sandboxed step does: if a step has replaced one of these
 * folders by a link, the executor would read or write elsewhere for it. Returns whether the last folder exists.
 */
export function refuseLinks(work: string, path: string): boolean {
  let at = work
  for (const name of ['', ...relative(work, path).split(sep)]) {
    at = join(at, name)
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (!found) return false
    if (!found.isDirectory()) {
      const which = relative(dirname(work), at)
      throw new Error(`${which} in the runner's folder is no folder any more`)
    }
  }
  return true
}

/** Makes a folder below `work` unless there is one. The executor and the processes of bodies may do so at the same time. */
export function makeFolder(work: string, path: string): void {
  while (!refuseLinks(work, path)) {
    try {
      mkdirSync(path, { mode: 0o700 })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

export const noFolder = (folder: string): Error => new Error(`the repository has no folder ${folder}`)

/** @throws where the repository has no such folder */
export function requireFolder(work: string, folder: string): void {
  if (!isFolder(places.copy(work, folder))) throw noFolder(folder)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Writes files that a step gets into the working copy. */
export async function writeFilesInto(work: string, files: readonly FileToWrite[]): Promise<void> {
  const copy = places.copy(work, '')
  if (files.length > 0) refuseLinks(work, copy)
  for (const file of files) await writeInto(copy, file)
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

const outside = (path: string) => new Error(`sluice.files: ${path} is outside of the working copy`)
