import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'

const flock = '/usr/bin/flock'
const ways = { shared: ['-s'], exclusive: ['-x'], 'exclusive, at once': ['-x', '-n'] } as const

/**
 * Runs `work` under flock(2) on a file, which is created if it does not exist; the kernel releases the lock also when
 * this process is killed. Returns undefined, without having run it, if another process holds the lock and waiting was
 * not requested. On a system without flock(1) nothing is locked: `work` must be correct without, and is only done
 * twice.
 */
export async function underLock<T>(
  path: string,
  how: keyof typeof ways,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const fd = openSync(path, 'a', 0o600)
  try {
    return (await isTaken(fd, ways[how])) ? await work() : undefined
  } finally {
    closeSync(fd)
  }
}

/**
 * Tries to take the lock. It belongs to the open file, which the child shares with this process, so it remains when the
 * child has ended.
 */
function isTaken(fd: number, args: readonly string[]): Promise<boolean> {
  if (!existsSync(flock)) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    const child = spawn(flock, [...args, '3'], { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'ignore', fd] })
    child.once('error', reject)
    child.once('exit', code => resolve(code === 0))
  })
}
