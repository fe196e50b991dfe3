import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Milliseconds of CPU that processes have used so far. On a machine that others use as well this says what time on the
 * wall does not.
 */
export function cpuTimeOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + timeOf(pid), 0)
}

/** The processes that work in a folder: of a PostgreSQL server, all of them. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && cwdOf(name)?.startsWith(folder))
    .map(Number)
}

/** Fields 14 and 15 of stat, in hundredths of a second. */
function timeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

function cwdOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
