import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * How many tests passed and how many did not, which did not and why, how long each file's tests took, in milliseconds, and
 * what a file said that failed as a whole: its process ended, or something was thrown outside of a test.
 */
export interface Told {
  passed: number
  failed: number
  failures: { file: string; name: string; why: string }[]
  files: { file: string; took: number }[]
  fallen: { file: string; said: string }[]
}

/** Of what a file said, its last characters. */
const kept = 8_000

/**
 * A reporter for `node --test` that ends with one line of JSON, a `Told`. Suites and files are not counted, only what
 * asserts something; a file that fails to load counts as a failed test.
 */
export default async function* tally(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const told: Told = { passed: 0, failed: 0, failures: [], files: [], fallen: [] }
  const said = new Map<string, string>()
  for await (const { type, data } of source) {
    if ((type === 'test:stderr' || type === 'test:diagnostic') && data.file !== undefined) {
      const file = resolve(data.file)
      said.set(file, `${said.get(file) ?? ''}${data.message}${type === 'test:diagnostic' ? '\n' : ''}`.slice(-kept))
    }
    if (type === 'test:summary' && data.file !== undefined) told.files.push({ file: data.file, took: data.duration_ms })
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details.type === 'suite') continue
    const good = type === 'test:pass' && data.skip === undefined && data.todo === undefined
    told[good ? 'passed' : 'failed'] += 1
    if (!good)
      told.failures.push({
        file: data.file ?? '',
        name: data.name,
        why: type === 'test:fail' ? whyOf(data.details.error) : 'skipped, or to do',
      })
    if (type === 'test:fail' && data.file !== undefined && resolve(data.name) === resolve(data.file))
      told.fallen.push({ file: data.file, said: said.get(resolve(data.file)) ?? '' })
  }
  yield `${JSON.stringify(told)}\n`
}

/** What was thrown, which the runner wraps; of a long one the beginning. */
const whyOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message).slice(0, 1_000)
