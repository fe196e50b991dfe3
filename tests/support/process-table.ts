import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** All that any user of the machine, or the same one, can read of running processes: arguments and environments. */
export async function processTable(): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const parts = pids.flatMap(pid => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
  // Processes end while we look.
  return (await Promise.all(parts.map(path => readFile(path, 'utf8').catch(() => '')))).join('\n')
}

/** The files beneath a folder that hold a text. Runners live in it: a file that is gone when it is read held nothing. */
export async function filesThatHold(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const contents = await Promise.all(files.map(async file => [file, await contentOf(file)] as const))
  return contents.filter(([, content]) => content.includes(text)).map(([file]) => file)
}

const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
