import { existsSync } from 'node:fs'

/**
 * The command inside bubblewrap (pure): processes, shared memory and host name of its own; the network is the
 * machine's, because a server that one step starts is asked by the next. What is left of it ends with it.
 *
 * @param hide folders that it does not see; `show` is put back, when it lies in one of them, and `read` to be read
 */
export function sandboxed(
  argv: readonly string[],
  place: { bwrap: string; hide: readonly string[]; show: readonly string[]; read: readonly string[]; cwd: string },
): string[] {
  return [
    place.bwrap,
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
    ...['--dev-bind', '/', '/', '--proc', '/proc'],
    ...place.hide.flatMap(folder => ['--tmpfs', folder]),
    ...place.show.flatMap(folder => ['--bind', folder, folder]),
    ...place.read.flatMap(folder => ['--ro-bind', folder, folder]),
    ...['--chdir', place.cwd, '--'],
    ...argv,
  ]
}

export function findBubblewrap(): string | undefined {
  return ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find(path => existsSync(path))
}
