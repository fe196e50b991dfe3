import { mkdirSync, readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** Bytes of a whole run: the databases of its tests and their temporary files, with a margin. */
const bytesOfARun = 6 * 2 ** 30

/**
 * A folder of this user in memory, where creating and removing a test's database of 840 files takes half the processor
 * time that it takes on a disk. Undefined where the machine has none, has too little memory, or lets no program run
 * there.
 */
export function memoryFolder(): string | undefined {
  const inMemory = '/dev/shm'
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map(line => line.split(' '))
    .findLast(([, at]) => at === inMemory)
  if (mount?.[2] !== 'tmpfs' || mount[3]?.split(',').some(option => option === 'noexec' || option === 'ro')) return
  const { bavail, bsize } = statfsSync(inMemory)
  if (Math.min(bavail * bsize, freemem()) < bytesOfARun) return
  const folder = join(inMemory, `sluice-tests-${process.getuid!()}`)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  return folder
}
