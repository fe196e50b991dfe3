import { mkdir, rename, rm } from 'node:fs/promises'
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { Header, type ReadEntry, Unpack } from 'tar'

/**
 * Unpacks the archive of a commit as the folder `target`, wholly or not at all.
 *
 * @throws naming the entry, when one would be written or would point outside of the folder
 */
export async function unpack(archive: Readable, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  const unpacking = new Unpack({
    cwd: unfinished,
    strict: true,
    preserveOwner: false,
    // The archive is ours, but what it holds is not: a device or a FIFO has no business in it.
    filter: (path, entry) => {
      const { type, linkpath } = entry as ReadEntry
      const wrong = whyRefused({ path, type, linkpath })
      if (wrong) unpacking.abort(new Error(`the commit cannot be unpacked: ${wrong}`))
      return !wrong
    },
  })
  await new Promise<void>((resolve, reject) => {
    // It may complain more than once: what it had begun goes wrong after it was stopped.
    unpacking.on('error', reject)
    unpacking.once('close', resolve)
    archive.once('error', reject)
    archive.pipe(unpacking as unknown as NodeJS.WritableStream)
  })
  // One that was unpacked whole by an executor which did not live to say so.
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
}

/**
 * Unpacks next to nothing, and removes it: the first time takes ten times as long as the second, and nobody waits for
 * this one.
 */
export async function rehearseUnpacking(target: string): Promise<void> {
  const entry = (header: object) => {
    const block = Buffer.alloc(512)
    new Header({ mode: 0o644, size: 0, ...header }).encode(block)
    return block
  }
  const archive = [
    entry({ path: 'folder/', type: 'Directory', mode: 0o755 }),
    entry({ path: 'folder/file', type: 'File' }),
  ]
  // An executor that was killed may have left one.
  await rm(target, { recursive: true, force: true })
  await unpack(Readable.from([...archive, Buffer.alloc(1_024)]), target)
  await rm(target, { recursive: true })
}

export type Entry = { path: string; type: string; linkpath?: string | undefined }

const kept = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'SymbolicLink', 'Link'])

/** What is wrong with an entry of an archive, or undefined (pure). */
export function whyRefused({ path, type, linkpath }: Entry): string | undefined {
  if (!kept.has(type)) return `${path} is a ${type}`
  if (leaves(path)) return `${path} lies outside of the repository`
  if (type === 'Link' && leaves(linkpath ?? '')) return `${path} is a link to ${linkpath}, outside of the repository`
  if (type === 'SymbolicLink' && leaves(linkpath ?? '', posix.dirname(path)))
    return `${path} is a link to ${linkpath}, outside of the repository`
  return undefined
}

function leaves(path: string, from = '.'): boolean {
  if (posix.isAbsolute(path) || path.includes('\0')) return true
  const there = posix.normalize(posix.join(from, path))
  return there === '..' || there.startsWith('../')
}
