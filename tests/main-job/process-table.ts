import { readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  command: string
}

/** Every living process whose command line or environment contains this text, except this one. */
export function processesNaming(text: string): RunningProcess[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(name => ({
      pid: Number(name),
      command: read(`/proc/${name}/cmdline`),
      environment: read(`/proc/${name}/environ`),
    }))
    .filter(({ command, environment }) => command.includes(text) || environment.includes(text))
    .map(({ pid, command }) => ({ pid, command: command.replaceAll('\0', ' ').trim() }))
}

/** Ancestors of a process: its parent, its parent's parent, and so on up to the first process. */
export function ancestorsOf(pid: number): number[] {
  const parent = parentOf(pid)
  return parent === undefined || parent === 0 ? [] : [parent, ...ancestorsOf(parent)]
}

export const isAlive = (pid: number): boolean => parentOf(pid) !== undefined && state(pid) !== 'Z'

const parentOf = (pid: number): number | undefined => {
  const fields = statFields(pid)
  return fields ? Number(fields[1]) : undefined
}

const state = (pid: number) => statFields(pid)?.[0]

/** Fields of stat from the third on: the second, the program's name, may contain spaces and parentheses. */
function statFields(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A process may end meanwhile, and others' environments are unreadable: both yield an empty text. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
