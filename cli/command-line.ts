import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { fromJson } from '../json/from-json.ts'
import { Interrupted } from './ask.ts'
import { errorText } from './error-text.ts'
import { program } from './program.ts'

declare const SLUICE_VERSION: string | undefined

/**
 * Runs a command and returns its exit code. It writes to the streams of the process, which stay open.
 *
 * @param argv as `process.argv` holds it
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let status = 0
  const sluice = program(versionOf(), other => {
    status = other
  })
  for (const command of [sluice, ...sluice.commands, ...sluice.commands.flatMap(each => each.commands)])
    command.exitOverride()
  try {
    await sluice.parseAsync([...argv])
    return status
  } catch (error) {
    return statusAfter(error)
  }
}

function statusAfter(error: unknown): number {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Interrupted) return 130
  const { text, status } = errorText(error)
  process.stderr.write(`${text}\n`)
  return status
}

/** The version, inlined in the single-file build; in a checkout it is read from package.json. */
function versionOf(): string {
  if (typeof SLUICE_VERSION === 'string') return SLUICE_VERSION
  const file = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
  return fromJson<{ version: string }>(file).version
}
