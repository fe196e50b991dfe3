import { Hourglass } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useMe } from '../api/session.tsx'
import { Button } from '../components/button/button.tsx'
import { timeOfDay } from '../components/time/format.ts'
import { shell } from '../messages/shell.ts'
import styles from './shell.module.css'

const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'))

/** Milliseconds before the end of the session from which on it is announced. */
const ahead = 5 * 60_000
/** The longest time that a timer of browsers takes, in milliseconds. */
const longest = 2 ** 31 - 1

/** Strip above every page in the last minutes of the session, from which the user signs in again before it ends. */
export function SessionBanner() {
  const end = useMe().meta?.['session_expires_at']
  const [ending, setEnding] = useState<unknown>()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (typeof end !== 'string') return
    const wait = Date.parse(end) - ahead - Date.now()
    if (wait > longest) return
    const timer = setTimeout(() => setEnding(end), wait)
    return () => clearTimeout(timer)
  }, [end])
  // Another session has begun since.
  if (typeof end !== 'string' || ending !== end) return null
  return (
    <div className={styles['banner']} role="status">
      <Hourglass size={16} aria-hidden />
      {shell.sessionEnding(timeOfDay(Date.parse(end)))}
      <Button size="small" onClick={() => setIsOpen(true)}>
        {shell.signInAgain}
      </Button>
      {isOpen && (
        <Suspense>
          <SignInDialog description={shell.signInForMore} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
