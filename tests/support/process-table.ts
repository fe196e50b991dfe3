import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** All arguments and environments of running processes that other users of the machine, or the same one, can read. */
export async function processTable(): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const parts = pids.flatMap(pid => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
  // Processes end while we read.
  return (await Promise.all(parts.map(path => readFile(path, 'utf8').catch(() => '')))).join('\n')
}

/** The files below a folder that contain a text. Runners use it: a deleted file did not contain it. */
export async function filesThatHold(folder: string, text: string): Promise<string[]> {
  const files = await filesIn(folder)
  const contents = await Promise.all(files.map(async file => [file, await contentOf(file)] as const))
  return contents.filter(([, content]) => content.includes(text)).map(([file]) => file)
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orNothing([]))
  const files = entries.filter(entry => entry.isFile()).map(entry => join(folder, entry.name))
  const folders = entries.filter(entry => entry.isDirectory()).map(entry => filesIn(join(folder, entry.name)))
  return [...files, ...(await Promise.all(folders)).flat()]
}

const contentOf = (file: string): Promise<Buffer> => readFile(file).catch(orNothing(Buffer.alloc(0)))

/** Ignores errors of files deleted meanwhile; every other error is thrown. */
const orNothing =
  <Value>(nothing: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return nothing
    throw error
  }
