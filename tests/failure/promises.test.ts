import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenLog, brokenStep, type Step } from './promises.ts'
import type { Seen } from './witness.ts'

/** Tests of the audit: it finds each violation of a promise about a step, and nothing else. */

const step = (over: Partial<Step> = {}): Step => ({
  id: 's',
  activity_id: 'c',
  full_path: 'tree/one',
  step_name: 'one',
  status: 'success',
  body: 'done',
  children: 0,
  attempt: 1,
  ran_as: null,
  body_ran_before: false,
  error_message: null,
  ...over,
})

/** Lines in the order of the words: `1start` is the start of the first attempt. */
const witness = (words: string): Seen[] =>
  words
    .split(' ')
    .filter(word => word !== '')
    .map(word => ({ step: 's', attempt: Number(word[0]), what: word.slice(1) as Seen['what'], pid: 1 }))

const once = '1start 1tick 1end'
const twice = '1start 1tick 2start 2tick 2end'
const lost = 'The runner was lost: its process has ended.'
const undisturbed = { ends: ['success'], undisturbed: true }
const disturbed = { ends: ['success', 'error'], undisturbed: false }

test('steps that ran as promised are no fault', () => {
  const fine: [Step, string, typeof disturbed][] = [
    [step(), once, undisturbed],
    [step({ attempt: 2 }), twice, disturbed],
    [step({ status: 'error', body: 'failed', error_message: lost }), '1start 1tick', disturbed],
    [step({ status: 'cancelled', body: 'failed' }), '1start', undisturbed],
    [step({ status: 'aborted', body: 'open', attempt: 0 }), '', undisturbed],
    [step({ ran_as: 'other' }), '', undisturbed],
    [step({ step_name: 'adding', children: 3 }), once, undisturbed],
  ]
  for (const [one, seen, expected] of fine) assert.deepEqual(brokenStep(one, expected, witness(seen)), [], seen)
})

test('a step that is lost, runs twice, runs although it must not, or restarts without need is found', () => {
  const broken: [Step, string, typeof disturbed, RegExp][] = [
    [step(), '1start 1tick', undisturbed, /a success that the witness did not see$/],
    [step(), '', undisturbed, /a success that the witness did not see$/],
    [step(), '1start 1end 1start 1end', undisturbed, /attempt 1 ran twice$/],
    [step({ attempt: 2 }), '1start 2start 1tick 2end', disturbed, /attempt 1 still lived when a later one had begun$/],
    [step(), `${once} 2start`, undisturbed, /attempt 2 ran, which the tables do not know$/],
    [step({ status: 'aborted', body: 'open' }), '1start', undisturbed, /it was aborted and ran$/],
    [step({ ran_as: 'other' }), once, undisturbed, /it was taken over, and ran again$/],
    [step({ body_ran_before: true }), once, undisturbed, /it was taken over, and ran again$/],
    [step({ step_name: 'adding', children: 6 }), once, undisturbed, /it has 6 steps below it, not 3$/],
    [step({ attempt: 2 }), twice, undisturbed, /nothing of its runner died$/],
    [
      step({ status: 'error', body: 'failed', error_message: 'exit code 1' }),
      once,
      disturbed,
      /it failed: exit code 1$/,
    ],
  ]
  for (const [one, seen, expected, what] of broken) {
    const found = brokenStep(one, expected, witness(seen))
    assert.equal(found.filter(text => what.test(text)).length, 1, `${what}: ${found.join('\n')}`)
  }
})

test('a line of a log that is lost or doubled is found, and one that a killed runner had not read is not missed', () => {
  const lines = (...numbers: number[]) => numbers.map(n => `line ${n}`)
  const log = (one: Step, seen: string, ...printed: string[][]) =>
    brokenLog(one, witness(seen), attempt => printed[attempt - 1] ?? []).map(text => text.replace(/^.*?: /, ''))
  const whole = lines(1, 2, 3, 4, 5, 6)
  assert.deepEqual(log(step(), once, whole), [])
  assert.deepEqual(log(step({ attempt: 2 }), twice, lines(1, 2), whole), [])
  assert.deepEqual(log(step({ status: 'error' }), '1start 1tick', lines(1, 2, 3)), [])
  assert.deepEqual(log(step(), once, lines(1, 2, 4, 5, 6)), ['line 3 is "line 4"'])
  assert.deepEqual(log(step(), once, lines(1, 2, 2, 3, 4, 5, 6)), ['line 3 is "line 2"'])
  assert.deepEqual(log(step(), once, lines(1, 2, 3, 4, 5)), ['5 lines of 6'])
  assert.deepEqual(log(step(), once, lines(1, 2, 3, 4, 5, 6, 7)), ['7 lines of 6'])
  assert.deepEqual(log(step({ attempt: 2 }), twice, lines(2), whole), ['line 1 is "line 2"'])
  assert.deepEqual(log(step({ step_name: 'talk' }), once, whole), ['6 lines of 500'])
})
