import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { fromJson } from '../json/from-json.ts'
import { Interrupted } from './ask.ts'
import { errorText } from './error-text.ts'
import { program } from './program.ts'

declare const SLUICE_VERSION: string | undefined

/** Entry point of `bin/sluice` and of the single-file build for other machines. */
async function main(): Promise<void> {
  // The reader may close the pipe, as in: sluice list changes | head
  process.stdout.on('error', error =>
    process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? (process.exitCode ?? 0) : 1),
  )
  // Messages on standard error are optional; a closed standard error is not a failure.
  process.stderr.on('error', () => {})
  let status = 0
  const sluice = program(versionOf(), other => {
    status = other
  })
  // If the event loop empties before a result is known, Node would exit with 0.
  process.once('beforeExit', () => {
    process.exitCode ??= 1
  })
  for (const command of [sluice, ...sluice.commands, ...sluice.commands.flatMap(each => each.commands)])
    command.exitOverride()
  try {
    await sluice.parseAsync(process.argv)
    process.exitCode = status
  } catch (error) {
    process.exitCode = statusAfter(error)
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

void main()
