import { general } from '../../messages/general.ts'
import { useNow } from './clock.ts'
import { dateTime, duration, elapsed, relativeTime } from './format.ts'

/** Time of the past or future, relative to now; the exact time in the user's zone and in UTC is its title. */
export function Time({ at, absolute = false }: { at: string | null | undefined; absolute?: boolean }) {
  const now = useNow(!absolute)
  if (!at) return <span>{general.none}</span>
  const title = `${dateTime(at, { withZone: true })} · ${dateTime(at, { zone: 'UTC', withZone: true })}`
  return (
    <time dateTime={at} title={title}>
      {absolute ? dateTime(at) : relativeTime(Date.parse(at), now)}
    </time>
  )
}

/** Duration from one time to another; without an end it ticks in whole seconds. */
export function Duration({ from, to }: { from: string | null | undefined; to?: string | null | undefined }) {
  const now = useNow(Boolean(from) && !to)
  if (!from) return <span>{general.none}</span>
  if (to) return <span>{duration(Date.parse(to) - Date.parse(from))}</span>
  return <span>{elapsed(now - Date.parse(from))}</span>
}
