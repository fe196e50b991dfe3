import { Undo2 } from 'lucide-react'
import { Button } from '../../components/button/button.tsx'
import { run as texts } from '../../messages/run.ts'
import styles from './run-sheet.module.css'

interface DifferenceProps {
  /** Name of the field. */
  readonly of: string
  /** Value of the original and of the field as texts; equal: nothing is shown. */
  readonly before: string
  readonly now: string
  readonly onRestore: () => void
}

/** Mark of a field of a retry that differs from the original, with the original's value and the way back to it. */
export function Difference({ of, before, now, onRestore }: DifferenceProps) {
  if (before.trim() === now.trim()) return null
  return (
    <div className={styles['difference']}>
      <span>
        <strong>{texts.differs}</strong>{' '}
        {before.trim() === '' ? texts.originalNone : texts.originalWas(oneLine(before))}
      </span>
      <Button variant="quiet" onClick={onRestore} aria-label={texts.restoreOf(of)}>
        <Undo2 size={14} aria-hidden />
        {texts.restore}
      </Button>
    </div>
  )
}

function oneLine(text: string): string {
  const line = text.trim().split('\n').join(', ')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
