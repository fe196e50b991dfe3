import { relative, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import type { TestsStream } from 'node:test'

/** Outcome of a run of test files. */
export interface TestReport {
  passed: number
  failed: number
  /** Description of each failed test: file, name and error. */
  failures: string[]
  /** Duration of each file in milliseconds. */
  files: { file: string; took: number }[]
}

interface Reporting {
  readonly projectFolder: string
  /** Number of files in the run. */
  readonly total: number
  /** Prints a failed test when it fails, and each half minute the progress and files that run long; without it nothing is printed. */
  readonly print?: (line: string) => void
}

/** Characters kept of what a file last wrote to stderr. */
const keptOutput = 8_000
const progressMilliseconds = 30_000
/** A file that has run for this long is named with the progress. */
const longMilliseconds = 120_000

/**
 * Counts the tests of a run. Only tests are counted, not suites and files. A skipped or unfinished test counts as failed,
 * since it proves nothing; so does a file that could not be loaded or whose process died.
 */
export async function reportTests(
  stream: TestsStream,
  { projectFolder, total, print }: Reporting,
): Promise<TestReport> {
  const report: TestReport = { passed: 0, failed: 0, failures: [], files: [] }
  const output = new Map<string, string>()
  const started = performance.now()
  /** Files that are running, by path, with their start. */
  const running = new Map<string, number>()
  const fail = (failure: string) => {
    report.failed += 1
    report.failures.push(failure)
    print?.(`✖ ${failure.replaceAll('\n', '\n  ')}`)
  }
  const keep = (file: string | undefined, message: string) => {
    if (file === undefined) return
    const whole = `${output.get(resolve(file)) ?? ''}${message}`
    output.set(resolve(file), whole.slice(-keptOutput))
  }
  stream.on('test:stderr', ({ file, message }) => keep(file, message))
  stream.on('test:diagnostic', ({ file, message }) => keep(file, `${message}\n`))
  stream.on('test:dequeue', ({ file, name }) => {
    if (isFile(name, file)) running.set(resolve(file), performance.now())
  })
  stream.on('test:complete', ({ file, name }) => {
    if (isFile(name, file)) running.delete(resolve(file))
  })
  stream.on('test:summary', ({ file, duration_ms: took }) => {
    if (file !== undefined) report.files.push({ file: relative(projectFolder, file), took })
  })
  stream.on('test:pass', ({ details, file = '', name, skip, todo }) => {
    if (details.type === 'suite') return
    if (skip === undefined && todo === undefined) report.passed += 1
    else fail(`${relative(projectFolder, file)}: ${name}\nskipped, or to do`)
  })
  stream.on('test:fail', ({ details, file = '', name }) => {
    if (details.type === 'suite') return
    if (!isFile(name, file)) return fail(`${relative(projectFolder, file)}: ${name}\n${messageOf(details.error)}`)
    const last = output.get(resolve(file))
    fail(
      `${relative(projectFolder, file)}: failed as a whole\n${last ? `Its last output:\n${last}` : 'without output'}`,
    )
  })
  const tell = () => {
    const now = performance.now()
    print?.(progress(report, total, now - started))
    for (const [file, since] of running)
      if (now - since > longMilliseconds)
        print?.(`  running for ${time(now - since)}: ${relative(projectFolder, file)}`)
  }
  const timer = setInterval(tell, progressMilliseconds)
  try {
    await finished(stream)
  } finally {
    clearInterval(timer)
  }
  return report
}

/** Whether an event is about the process of a file as a whole. */
const isFile = (name: string, file: string | undefined): file is string =>
  file !== undefined && resolve(name) === resolve(file)

/** Message of the error that the runner wraps, cut to a readable length. */
const messageOf = ({ message, cause }: Error): string =>
  (cause instanceof Error ? cause.message : message).slice(0, 1_000)

/** `1,204 tests (2 failed) in 120 of 356 files, 4 min 30 s` */
function progress({ passed, failed, files }: TestReport, total: number, milliseconds: number): string {
  const count = (passed + failed).toLocaleString('en-US')
  return `${count} tests (${failed} failed) in ${files.length} of ${total} files, ${time(milliseconds)}`
}

/** `45 s` or `4 min 30 s` */
function time(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
