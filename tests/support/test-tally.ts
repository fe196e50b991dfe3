import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter for `node --test` that ends with one line of JSON: how many tests passed and how many did not. Suites and
 * files are not counted, only what asserts something; a file that fails to load counts as a failed test.
 */
export default async function* tally(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counted = { passed: 0, failed: 0 }
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details.type === 'suite') continue
    const good = type === 'test:pass' && data.skip === undefined && data.todo === undefined
    counted[good ? 'passed' : 'failed'] += 1
  }
  yield `${JSON.stringify(counted)}\n`
}
