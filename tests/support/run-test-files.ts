import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { reportTests } from './test-report.ts'

/** Program that runs the test files of a `FileRun`, its only argument, and sends a `TestReport` to its parent. */

export interface FileRun {
  /**
   * Test files in the order in which they start: slow ones come first, so that no processor waits for them at the end.
   */
  readonly files: readonly string[]
  readonly names?: readonly string[]
  readonly watch?: boolean
  /**
   * Number of concurrent files. Database tests wait for PostgreSQL half of the time: one more than processors keeps
   * these busy.
   */
  readonly concurrency?: number
  /** Each test as it ends, or only failures and progress. */
  readonly show: 'all' | 'failures'
}

const {
  files,
  names = [],
  watch = false,
  concurrency = availableParallelism() + 1,
  show,
} = JSON.parse(process.argv[2]!) as FileRun
// A run whose parent was ended begins no further file.
const endRun = () => process.exit(1)
process.once('disconnect', endRun)
const projectFolder = join(import.meta.dirname, '../..')
const stream = run({
  files: files.map(file => join(projectFolder, file)),
  concurrency,
  timeout: 300_000,
  watch,
  // Room for young objects: half as many collections take 4 % less processor time.
  execArgv: [
    '--min-semi-space-size=64',
    '--max-semi-space-size=64',
    '--import',
    import.meta.resolve('./file-time-limit.ts'),
  ],
  ...(names.length > 0 && { testNamePatterns: [...names] }),
})
if (show === 'all') stream.compose(new spec()).pipe(process.stdout)
else stream.resume()
const print = show === 'failures' ? (line: string) => console.log(line) : undefined
const report = await reportTests(stream, { projectFolder, total: files.length, ...(print && { print }) })
process.send?.(report)
process.off('disconnect', endRun)
process.disconnect?.()
