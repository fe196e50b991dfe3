import { useEffect, useRef, useState } from 'react'
import { isFinal } from '#client/sluice.ts'
import { statusWord } from '../../components/status/status.tsx'
import { activity as texts } from '../../messages/activity.ts'
import { type Progress, stepName } from './steps.ts'

/** Milliseconds between two announcements. */
const pause = 10_000

interface ProgressAnnouncementProps {
  readonly name: string
  readonly status: string
  readonly progress: Progress
}

/** Polite line for screen readers with the progress of the activity, at most every ten seconds. */
export function ProgressAnnouncement({ name, status, progress }: ProgressAnnouncementProps) {
  const [failed] = progress.failed
  const text = isFinal(status)
    ? texts.ended(name, statusWord(status))
    : texts.progress(progress.done, progress.all, failed && stepName(failed))
  const [said, setSaid] = useState('')
  const [first] = useState(text)
  const lastAt = useRef(0)
  useEffect(() => {
    // What the page says at first is read from the page itself.
    if (text === first || text === said) return
    const say = () => {
      lastAt.current = Date.now()
      setSaid(text)
    }
    const timer = setTimeout(say, Math.max(0, lastAt.current + pause - Date.now()))
    return () => clearTimeout(timer)
  }, [text, first, said])
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  )
}
