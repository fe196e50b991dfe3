import { useMutation } from '@tanstack/react-query'
import { Copy, Link2, X } from 'lucide-react'
import { sluice } from '../../api/client.ts'
import { Button, IconButton } from '../../components/button/button.tsx'
import { useCopy } from '../../components/copy/use-copy.ts'
import { plainText } from '../../components/log-window/ansi.ts'
import { log as texts } from '../../messages/log.ts'
import styles from './activity-page.module.css'
import { type LogSubject, rangeQuery } from './log-source.ts'
import type { ChosenLines } from './search.ts'

interface ChosenLinesBarProps {
  readonly chosen: ChosenLines
  readonly subject: LogSubject
  readonly onClear: () => void
}

/** Lines that are copied at once; the service returns no more by one request. */
const most = 10_000

/** Bar for the chosen lines: copies them without their numbers, or a link to them. */
export function ChosenLinesBar({ chosen, subject, onClear }: ChosenLinesBarProps) {
  const copy = useCopy()
  const count = chosen.to - chosen.from + 1
  const read = async () => {
    const path = `${subject.path}?${rangeQuery(subject, chosen.from - 1, count)}`
    const answer = await sluice().raw(path, { accept: 'text/plain' })
    return plainText(await answer.text())
  }
  const copyLines = useMutation({ mutationFn: () => copy(read()) })
  return (
    <div className={styles['chosenLines']}>
      <strong>{texts.chosenLines(chosen.from, chosen.to)}</strong>
      <Button
        size="small"
        busy={copyLines.isPending}
        disabledReason={count > most ? texts.tooManyLines(most) : undefined}
        onClick={() => copyLines.mutate()}
      >
        <Copy size={14} aria-hidden />
        {texts.copyLines}
      </Button>
      <Button size="small" onClick={() => void copy(location.href)}>
        <Link2 size={14} aria-hidden />
        {texts.copyLink}
      </Button>
      <IconButton label={texts.clearLines} size="small" variant="quiet" onClick={onClear}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
