import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Milliseconds of CPU that processes have used so far: a measure that other users of the machine affect less than
 * wall-clock time.
 */
export function cpuTimeOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + timeOf(pid), 0)
}

/** The processes that work in a folder: for that of a PostgreSQL server, all of its processes. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && cwdOf(name)?.startsWith(folder))
    .map(Number)
}

/**
 * Processor time of all threads of a process: the first field of each one's schedstat, in nanoseconds. (`stat` counts
 * whole ticks.)
 */
function timeOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + onProcessor(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    return 0
  }
}

const onProcessor = (file: string) => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6

function cwdOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
