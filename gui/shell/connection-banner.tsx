import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { timeOfDay } from '../components/time/format.ts'
import { useLostSince } from '../live/lost.ts'
import { shell } from '../messages/shell.ts'
import { useInfo } from './maintenance.ts'
import styles from './shell.module.css'

/** Milliseconds for which a lost connection is not worth a word: usually it is there again. */
const patience = 3_000

/** Strip above a page whose live streams are not connected, or whose service does not answer. */
export function ConnectionBanner() {
  const [opened] = useState(() => Date.now())
  const info = useInfo()
  const lost = useLostSince()
  // A request is repeated for half a minute before it fails; the first one may never have been answered.
  const unanswered = info.isFetching || info.isError ? info.dataUpdatedAt || opened : undefined
  const since = lost ?? unanswered
  const [shown, setShown] = useState<number>()
  useEffect(() => {
    if (since === undefined) return setShown(undefined)
    const timer = setTimeout(() => setShown(since), patience)
    return () => clearTimeout(timer)
  }, [since])
  if (shown === undefined) return null
  return (
    <div className={styles['banner']} role="status">
      <Unplug size={16} aria-hidden />
      {shell.disconnected(timeOfDay(shown))}
    </div>
  )
}
