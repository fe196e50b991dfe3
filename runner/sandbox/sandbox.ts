import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { User } from './processes.ts'

/**
 * Folders that are hidden; `show` is made visible again if it is in one of them, and `read` read-only. Paths contain no
 * links.
 */
export interface View {
  readonly hide: readonly string[]
  readonly show: readonly string[]
  readonly read: readonly string[]
}

/**
 * The prefix of a command that runs its arguments inside bubblewrap (pure): processes, shared memory and host name of
 * its own; the network is the machine's, because steps use servers that other steps start. Processes left in it end
 * with it.
 */
export const sandboxOf = ({ hide, show, read }: View, place: { bwrap: string; cwd: string }): string[] => [
  place.bwrap,
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
  ...['--dev-bind', '/', '/', '--proc', '/proc'],
  ...hide.flatMap(folder => ['--tmpfs', folder]),
  ...show.flatMap(folder => ['--bind', folder, folder]),
  ...read.flatMap(folder => ['--ro-bind', folder, folder]),
  ...['--chdir', place.cwd, '--'],
]

export function findBubblewrap(): string | undefined {
  return ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find(path => existsSync(path))
}

/** Why nothing can be run in that sandbox, in bubblewrap's words; undefined if it works. */
export function whyRefused(
  [program, ...args]: readonly string[],
  { env, runAs }: { env: Record<string, string>; runAs?: User },
): Promise<string | undefined> {
  return new Promise(resolve => {
    const user = runAs && { uid: runAs.uid, gid: runAs.gid }
    execFile(program!, [...args, '/bin/true'], { ...user, env, timeout: 10_000 }, (error, _, complaint) =>
      resolve(error ? complaint.trim() || error.message : undefined),
    )
  })
}
