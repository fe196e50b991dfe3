import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type FolderHold = { release(): Promise<void> }

/**
 * Holds a folder for this process alone; `undefined` when another process holds it.
 *
 * The lock is a listening socket in Linux's abstract namespace, so the kernel lets go of it however the process ends:
 * a lock file outlives a kill -9, and its process number may by then be another program's.
 *
 * @param purpose two purposes on one folder do not exclude each other
 */
export function holdFolder(folder: string, purpose: string): Promise<FolderHold | undefined> {
  const name = createHash('sha256')
    .update(`${purpose}:${realpathSync(folder)}`)
    .digest('hex')
    .slice(0, 32)
  return new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(`\0sluice-${name}`, () => {
      server.unref()
      resolve({ release: () => new Promise(done => server.close(() => done())) })
    })
  })
}

/** Waits until the folder is free, asking every 20 ms; for work of a second or two that several processes want done. */
export async function waitForFolder(folder: string, purpose: string, seconds = 120): Promise<FolderHold> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const hold = await holdFolder(folder, purpose)
    if (hold) return hold
    if (Date.now() > end)
      throw new Error(`Another process has been at "${purpose}" on ${folder} for ${seconds} seconds.`)
    await wait(20)
  }
}
