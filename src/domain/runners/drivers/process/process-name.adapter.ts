import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessName } from '../../runner.ts'
import type { RunnerName } from '../../runner-driver.port.ts'

/**
 * Scope in which process numbers are meaningful: this host, since its boot, in this container. Two processes with the
 * same scope see the same processes.
 */
export function thisHost(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`
}

export function processName(host: string, pid: number): ProcessName | undefined {
  const started = startOf(pid)
  return started === undefined ? undefined : { host, pid, started }
}

/** A process as the name of a runner. */
export const nameOfProcess = ({ host, pid, started }: ProcessName): RunnerName => ({ host, ref: `${pid}:${started}` })

/** The process that a runner's `ref` names. */
export function processOf(ref: string): Pick<ProcessName, 'pid' | 'started'> {
  const [pid, started] = ref.split(':').map(Number)
  return { pid: pid!, started: started! }
}

/** Whether a process of this host is alive. The same number with another start time is another process. */
export const isAlive = ({ pid, started }: Pick<ProcessName, 'pid' | 'started'>): boolean => startOf(pid) === started

/** Field 22 of stat. The name, in brackets, may hold spaces and brackets. A zombie has ended. */
function startOf(pid: number): number | undefined {
  const stat = readStat(pid)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : Number(fields[19])
}

/**
 * Numbers of the processes of this host that have this variable (`NAME=value`), as far as their environment is
 * readable.
 */
export const processesWith = (variable: string): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && `\0${readOf(name, 'environ') ?? ''}`.includes(`\0${variable}\0`))
    .map(Number)

/** The command line of a process of this host; empty once it has ended. */
export const argumentsOf = (pid: number): string[] => (readOf(pid, 'cmdline') ?? '').split('\0')

const readStat = (pid: number) => readOf(pid, 'stat')

function readOf(pid: number | string, what: 'stat' | 'environ' | 'cmdline'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch (error) {
    // It has ended; the environment of another user's process is not readable.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
