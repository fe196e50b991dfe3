import { useMutation } from '@tanstack/react-query'
import { Copy, Link2, X } from 'lucide-react'
import { sluice } from '../../api/client.ts'
import { Button, IconButton } from '../../components/button/button.tsx'
import { plainText } from '../../components/log-window/ansi.ts'
import { useToast } from '../../components/toast/toast.tsx'
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
  const toast = useToast()
  const count = chosen.to - chosen.from + 1
  const copy = useMutation({
    mutationFn: async () => {
      const path = `${subject.path}?${rangeQuery(subject, chosen.from - 1, count)}`
      const answer = await sluice().raw(path, { accept: 'text/plain' })
      await navigator.clipboard.writeText(plainText(await answer.text()))
    },
    onSuccess: () => toast.done(texts.copied),
    onError: toast.failed,
  })
  const copyLink = useMutation({
    mutationFn: () => navigator.clipboard.writeText(location.href),
    onSuccess: () => toast.done(texts.copied),
    onError: toast.failed,
  })
  return (
    <div className={styles['chosenLines']}>
      <strong>{texts.chosenLines(chosen.from, chosen.to)}</strong>
      <Button
        size="small"
        busy={copy.isPending}
        disabledReason={count > most ? texts.tooManyLines(most) : undefined}
        onClick={() => copy.mutate()}
      >
        <Copy size={14} aria-hidden />
        {texts.copyLines}
      </Button>
      <Button size="small" onClick={() => copyLink.mutate()}>
        <Link2 size={14} aria-hidden />
        {texts.copyLink}
      </Button>
      <IconButton label={texts.clearLines} size="small" variant="quiet" onClick={onClear}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
