import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { posix } from 'node:path'
import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Header, Parser, type ReadEntry, Unpack } from 'tar'
import { beginning, smallArchiveBytes } from '../supervisor/beginning.ts'
import { type PlacedProgram, startIn, tar, unpackingInto } from './placed-program.ts'

/**
 * Unpacks the archive of a commit as the folder `target`, completely or not at all.
 *
 * @throws naming the entry, when one would be written or would point outside of the folder
 */
export async function unpack(archive: Readable, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  const { whole, all } = await beginning(archive, smallArchiveBytes)
  if (whole || !existsSync(tar)) await unpackHere(all, unfinished)
  else {
    const place = { work: unfinished, env: { LC_ALL: 'C' }, sandbox: [] }
    await passChecked(all, startIn(place, unpackingInto('.')))
  }
  // It was unpacked completely by an executor that died before it could report that.
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
}

/** Writes the archive of a commit into a program that unpacks it. @throws as `unpack` does */
export async function passChecked(archive: Readable, program: PlacedProgram): Promise<void> {
  program.stdout.resume()
  const [passed, ended] = await Promise.allSettled([pipeline(archive, checking(), program.stdin), program.ended])
  // The error output of tar is more precise than the broken pipe that follows it.
  if (ended.status === 'rejected' && !(passed.status === 'rejected' && passed.reason instanceof WrongEntry))
    throw ended.reason
  if (passed.status === 'rejected') throw passed.reason
}

/** Writes the archive of a commit unchanged, for instance into a file. @throws as `unpack` does */
export async function writeChecked(archive: Readable, to: Writable): Promise<void> {
  await pipeline(archive, checking(), to)
}

class WrongEntry extends Error {
  constructor(wrong: string) {
    super(`the commit cannot be unpacked: ${wrong}`)
  }
}

/** Passes an archive on while each of its entries may be unpacked. */
function checking(): Transform {
  let wrong: Error | undefined
  const parser = new Parser({
    strict: true,
    onReadEntry: entry => {
      const { path, type, linkpath } = entry
      const why = whyRefused({ path, type, linkpath })
      if (why) wrong ??= new WrongEntry(why)
      entry.resume()
    },
  })
  parser.on('error', error => {
    wrong ??= error as Error
  })
  return new Transform({
    transform: (bytes: Buffer, _encoding, done) => {
      parser.write(bytes)
      done(wrong, bytes)
    },
    flush: done => {
      parser.once('end', () => done(wrong))
      parser.end()
    },
  })
}

async function unpackHere(archive: Readable, unfinished: string): Promise<void> {
  const unpacking = new Unpack({
    cwd: unfinished,
    strict: true,
    preserveOwner: false,
    // The archive is ours, but its content is not: devices and FIFOs are refused.
    filter: (path, entry) => {
      const { type, linkpath } = entry as ReadEntry
      const wrong = whyRefused({ path, type, linkpath })
      if (wrong) unpacking.abort(new WrongEntry(wrong))
      return !wrong
    },
  })
  await new Promise<void>((resolve, reject) => {
    // There may be several errors: a started write fails after it was stopped.
    unpacking.on('error', reject)
    unpacking.once('close', resolve)
    archive.once('error', reject)
    archive.pipe(unpacking as unknown as NodeJS.WritableStream)
  })
}

/** Takes over the copy `<target>.copied`. */
export async function takeCopied(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await rename(copiedAs(target), target)
}

export const copiedAs = (target: string): string => `${target}.copied`

/**
 * Unpacks and removes a tiny archive: the first time takes ten times as long as the second, and no step waits for this
 * one.
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

/** Reason why an entry of an archive is refused, or undefined (pure). */
export function whyRefused({ path, type, linkpath }: Entry): string | undefined {
  if (!kept.has(type)) return `${path} is a ${type}`
  if (leaves(path)) return `${path} is outside of the repository`
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
