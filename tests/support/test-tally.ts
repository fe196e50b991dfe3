import type { TestEvent } from 'node:test/reporters'

/** How many tests passed and how many did not, and how long each file's tests took, in milliseconds. */
export interface Told {
  passed: number
  failed: number
  files: { file: string; took: number }[]
}

/**
 * A reporter for `node --test` that ends with one line of JSON, a `Told`. Suites and files are not counted, only what
 * asserts something; a file that fails to load counts as a failed test.
 */
export default async function* tally(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const told: Told = { passed: 0, failed: 0, files: [] }
  for await (const { type, data } of source) {
    if (type === 'test:summary' && data.file !== undefined) told.files.push({ file: data.file, took: data.duration_ms })
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details.type === 'suite') continue
    const good = type === 'test:pass' && data.skip === undefined && data.todo === undefined
    told[good ? 'passed' : 'failed'] += 1
  }
  yield `${JSON.stringify(told)}\n`
}
