import { dueTimesFrom, type Times } from './schedule.ts'

/** Schedule with its stored next due time. */
export type Upcoming = Times & { readonly next_run_at: string }

/** Due times of one schedule within a period. */
export interface DueTimes<S extends Upcoming> {
  readonly schedule: S
  readonly times: readonly string[]
}

/**
 * Due times of schedules from one instant up to another (exclusive), the earliest `most` of all, by schedule in the order
 * of their first due time. The schedules are merged one due time after the other: one that is due every second does not
 * cost more than the others.
 */
export function upcoming<S extends Upcoming>(
  schedules: readonly S[],
  { from, to, most }: { readonly from: string; readonly to: string; readonly most: number },
): { readonly due: readonly DueTimes<S>[]; readonly cut: boolean } {
  const until = Date.parse(to)
  const heads = schedules.map(schedule => {
    const following = dueTimesFrom(schedule, from)
    return { schedule, following, next: nextOf(following) }
  })
  const earliest = () => {
    let found: (typeof heads)[number] | undefined
    for (const head of heads)
      if (head.next && head.next.instant < until && !(found && found.next!.instant <= head.next.instant)) found = head
    return found
  }
  const bySchedule = new Map<S, string[]>()
  let head = earliest()
  for (let count = 0; head && count < most; count++, head = earliest()) {
    const times = bySchedule.get(head.schedule) ?? []
    bySchedule.set(head.schedule, times)
    times.push(head.next!.at)
    head.next = nextOf(head.following)
  }
  return { due: [...bySchedule].map(([schedule, times]) => ({ schedule, times })), cut: head !== undefined }
}

function nextOf(following: Iterator<string, void>): { at: string; instant: number } | undefined {
  const { value, done } = following.next()
  return done ? undefined : { at: value as string, instant: Date.parse(value as string) }
}
