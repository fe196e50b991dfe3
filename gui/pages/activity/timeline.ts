import { duration } from '../../components/time/format.ts'

/** Times of a step, as the API writes them. */
interface StepTimes {
  readonly started_at: string | null
  readonly finished_at: string | null
}

/** Period that the timeline shows, in milliseconds of Date.now. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** Bar of a step: its place and width from 0 to 1 within the period. */
export interface Bar {
  readonly from: number
  readonly width: number
  readonly milliseconds: number
  /** Whether its duration is written before the bar, since there is no room behind it. */
  readonly isLabelledBefore: boolean
}

/** Period of an activity: from its start to its end, or until now. */
export function periodOf(activity: StepTimes, createdAt: string, now: number): Period {
  const from = Date.parse(activity.started_at ?? createdAt)
  const to = activity.finished_at ? Date.parse(activity.finished_at) : now
  return { from, to: Math.max(to, from + 1) }
}

/** Bar of a step; undefined if it has not started. */
export function barOf({ started_at: started, finished_at: finished }: StepTimes, period: Period): Bar | undefined {
  if (started === null) return undefined
  const length = period.to - period.from
  const within = (time: number) => Math.min(1, Math.max(0, (time - period.from) / length))
  const [start, end] = [Date.parse(started), finished ? Date.parse(finished) : period.to]
  const from = within(start)
  return {
    from,
    width: Math.max(within(end) - from, 0),
    milliseconds: Math.max(end - start, 0),
    isLabelledBefore: within(end) > 0.8 && from > 0.12,
  }
}

/** Mark on the axis. */
export interface Tick {
  readonly place: number
  readonly text: string
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
]

/** Marks at round durations since the start, at most `most` of them and the start itself. */
export function ticksOf({ from, to }: Period, most: number): Tick[] {
  const length = to - from
  const largest = steps.at(-1)!
  const step = steps.find(each => length / each <= most) ?? Math.ceil(length / most / largest) * largest
  const ticks: Tick[] = [{ place: 0, text: '0 s' }]
  for (let time = step; time < length * 0.96; time += step) ticks.push({ place: time / length, text: duration(time) })
  return ticks
}
