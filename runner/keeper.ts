import { existsSync } from 'node:fs'
import { join } from 'node:path'

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
export function readReport(line: string): { code: number | null; signal: number } {
  const [code, signal] = line.split(' ').map(Number) as [number, number]
  return { code: signal === 0 ? code : null, signal }
}
