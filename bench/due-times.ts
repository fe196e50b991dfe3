import { readCron } from '../src/domain/schedules/cron.ts'
import { nextDue } from '../src/domain/schedules/due-times.ts'
import { timeZone } from '../src/platform/time-zone.ts'
import { clockOf, dueByMinutes } from '../tests/oracles/due-times.ts'
import { print, round } from './report.ts'

/**
 * Compares the due times of schedules with those found by reading the wall clock in each minute, for every time zone,
 * ten years and several expressions. Zones whose clocks change at the same instants are compared once.
 */
const from = Date.UTC(2026, 0, 1)
const to = Date.UTC(Number(process.env['SLUICE_BENCH_UNTIL'] ?? 2036), 0, 1)
const expressions = ['30 2 * * *', '0,20,40 0-3 * * *', '@hourly', '0 */2 * * 0']
const minute = 60_000

const clocks = new Map<string, { name: string; clock: ReturnType<typeof clockOf>; zones: number }>()
const zones = Intl.supportedValuesOf('timeZone')
for (const name of zones) {
  const clock = clockOf(name, from, to)
  const known = clocks.get(JSON.stringify(clock))
  clocks.set(JSON.stringify(clock), { name: known?.name ?? name, clock, zones: (known?.zones ?? 0) + 1 })
}

let [due, differing, ours, floor] = [0, 0, 0, 0]
for (const { name, clock } of clocks.values())
  for (const text of expressions) {
    const cron = readCron(text)
    if ('fault' in cron) throw new Error(cron.fault)
    const zone = timeZone(name)!
    const began = performance.now()
    const minutes = [...dueByMinutes(clock, text, from, to)].flatMap(stretch => stretch.minutes)
    const looked = performance.now()
    const found: number[] = []
    for (let at = nextDue(cron, zone, from - 1)!; at < to; at = nextDue(cron, zone, at)!) found.push(at)
    floor += looked - began
    ours += performance.now() - looked
    due += minutes.length
    const wanted = new Set(minutes)
    const wrong =
      found.filter(at => !wanted.has(at)).length + minutes.length - found.filter(at => wanted.has(at)).length
    if (wrong > 0) process.stderr.write(`${text} in ${name}: ${wrong} of ${minutes.length} differ\n`)
    differing += wrong
  }

const looks = (clocks.size * expressions.length * (to - from)) / minute
await print({
  bench: 'due-times',
  figures: { due, differing, zones: zones.length, clocks: clocks.size, microsecondsEach: round((ours / due) * 1_000) },
  floors: { minutesLookedAt: looks, microsecondsEachMinute: round((floor / looks) * 1_000) },
  targets: { differing: { value: differing, atMost: 0 } },
})
