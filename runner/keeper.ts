import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Numbers of the system call prctl. */
const prctl: Partial<Record<NodeJS.Architecture, number>> = { x64: 157, arm64: 167 }
const perl = '/usr/bin/perl'

/** The command under the keeper, which reports its end on file descriptor 3; undefined where there is no perl. */
export function kept(argv: readonly string[]): string[] | undefined {
  const number = prctl[process.arch]
  if (number === undefined || !existsSync(perl)) return undefined
  return [perl, join(import.meta.dirname, 'keeper.pl'), String(number), ...argv]
}

/** Reads the keeper's line: `<exit code> <signal>`, of which one is 0 unless both are. */
function readReport(line: string): { code: number | null; signal: number } {
  const [code, signal] = line.split(' ').map(Number) as [number, number]
  return { code: signal === 0 ? code : null, signal }
}

export type End = { code: number | null; signal: string | null }

/** The keeper may stay after the program whose end it reports. Without a report it was itself killed. */
export function hearKeeper(keeper: ChildProcess, tell: (end: End) => void): void {
  const report = keeper.stdio[3] as Readable
  const own = once(keeper, 'exit') as Promise<[number | null, string | null]>
  let told = false
  report.on('data', (line: Buffer) => {
    const end = readReport(String(line))
    told = true
    tell({ code: end.code, signal: signalNames.get(end.signal) ?? null })
  })
  report.on('error', () => {})
  report.once('close', async () => {
    const [code, signal] = await own
    if (!told) tell({ code, signal })
  })
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number as number, name]))
