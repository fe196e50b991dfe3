import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { fromJson } from '../json/from-json.ts'
import { Interrupted } from './ask.ts'
import { inWords } from './in-words.ts'
import { program } from './program.ts'

declare const SLUICE_VERSION: string | undefined

/** `bin/sluice`, and the file that `npm run build` in this folder makes of it for other machines. */
async function main(): Promise<void> {
  // Whoever reads us may stop reading: sluice list changes | head
  process.stdout.on('error', error =>
    process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? (process.exitCode ?? 0) : 1),
  )
  // What is said besides may be said to nobody; what was asked for goes to the other stream.
  process.stderr.on('error', () => {})
  let status = 0
  const sluice = program(versionOf(), other => {
    status = other
  })
  // When nothing is left to wait for before it is known how it ends, Node would end with 0.
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
  // It has said what was wrong, or shown the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Interrupted) return 130
  const { text, status } = inWords(error)
  process.stderr.write(`${text}\n`)
  return status
}

/** Built into the one file; in a checkout it stands in package.json. */
function versionOf(): string {
  if (typeof SLUICE_VERSION === 'string') return SLUICE_VERSION
  const file = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
  return fromJson<{ version: string }>(file).version
}

void main()
