import { after, test } from 'node:test'
import fc from 'fast-check'
import { expressions } from './due-times.ts'
import { type Deed, histories, type Wish } from './history.ts'
import { play } from './play.ts'
import { ScheduleWorld } from './world.ts'

const world = await ScheduleWorld.open()
after(() => world.stop())

/** Options for developers of schedules: thousands of histories, with another seed. */
const numRuns = Number(process.env['SLUICE_HISTORIES'] ?? 8)
const seed = Number(process.env['SLUICE_SEED'] ?? 7)

test('whatever happens to schedules, what becomes of each due time is what the specification makes of it', async t => {
  await fc.assert(
    fc.asyncProperty(fc.noBias(histories), history => play(world, history)),
    // A failure is reported with its whole history, without shrinking.
    { numRuns, seed, endOnFailure: true },
  )
  t.diagnostic(JSON.stringify(world.tally))
})

/** Regressions, each by itself: here too the judge predicts the result. */
const found = (what: string, deeds: readonly Deed[]) => test(what, () => play(world, { eve: 0, deeds }))

const cron = (text: string) => expressions.find(each => each.text === text)!
const hourly: Wish = {
  target: 'workflow',
  expression: cron('@hourly'),
  runAt: null,
  zone: 'UTC',
  repeat: true,
  maximumRunCount: null,
  endAt: null,
  enabled: true,
  allowParallel: false,
  newCommitsOnly: false,
  patterns: [],
  patternMatch: 'any',
  gitRev: null,
  templateVersion: null,
}
const make = (wish: Partial<Wish>): Deed => ({ what: 'make', by: 'ann', wish: { ...hourly, ...wish } })
const update = (part: Partial<Wish>): Deed => ({ what: 'update', which: 0, part })
const untilDue: Deed = { what: 'time', seconds: 'until due' }
const look: Deed = { what: 'look', process: 0, order: 'first', diesAt: undefined }
const mayNothing: Deed = { what: 'rights', who: 'ann', to: 'nothing' }

found('what came due before somebody moved the due times is made all the same', [
  make({}),
  untilDue,
  update({ expression: cron('@daily') }),
  look,
])

found('who may not run it any more is found out although nothing could be made', [
  make({}),
  make({ target: 'environment', gitRev: 'next' }),
  untilDue,
  look,
  mayNothing,
  untilDue,
  look,
])

found('why the service has disabled a schedule is said until somebody enables it', [
  make({}),
  mayNothing,
  untilDue,
  look,
  update({ allowParallel: true }),
  { what: 'rights', who: 'ann', to: 'all' },
  update({ enabled: true }),
])

found('due times of which none comes before the end are refused, and an end that the last has passed is not', [
  make({ endAt: 7_200, maximumRunCount: 1 }),
  update({ expression: cron('@daily') }),
  untilDue,
  look,
  update({ endAt: 10_800 }),
])

const first = { process: 0, order: 'first', diesAt: undefined } as const

found('what came due of a node that has been archived since is not made, and its schedule is disabled', [
  make({ target: 'asset', expression: null, runAt: 90, repeat: false }),
  untilDue,
  { what: 'note', ...first },
  { what: 'archive', node: 'asset' },
  { what: 'work', ...first },
])

const lastAlone = { process: 0, order: 'last alone', diesAt: undefined } as const
const ofSources: Partial<Wish> = {
  target: 'environment',
  gitRev: 'main',
  expression: cron('*/10 * * * *'),
  allowParallel: true,
  newCommitsOnly: true,
  patterns: [{ match: 'src/**', negate: false }],
}

found('which files are new is asked since the commit that was used last, be it for an earlier due time', [
  make(ofSources),
  { what: 'commit', branch: 'main', path: 'src/a.txt' },
  untilDue,
  { what: 'note', ...lastAlone },
  { what: 'pass', seconds: 'until due', ...lastAlone },
  { what: 'commit', branch: 'main', path: 'src/a.txt' },
  look,
  { what: 'commit', branch: 'main', path: 'd.txt' },
  { ...look, what: 'pass', seconds: 'until due' },
])
