import { runCommandLine } from './command-line.ts'

/** Entry point of `bin/sluice` and of the single-file build for other machines. */
async function main(): Promise<void> {
  // The reader may close the pipe, as in: sluice list changes | head
  process.stdout.on('error', error =>
    process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? (process.exitCode ?? 0) : 1),
  )
  // Messages on standard error are optional; a closed standard error is not a failure.
  process.stderr.on('error', () => {})
  // If the event loop empties before a result is known, Node would exit with 0.
  process.once('beforeExit', () => {
    process.exitCode ??= 1
  })
  process.exitCode = await runCommandLine(process.argv)
}

void main()
