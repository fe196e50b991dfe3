import { useMutation } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { anyVersion } from '../../../api/client.ts'
import { useMe } from '../../../api/session.tsx'
import { Button, IconButton } from '../../../components/button/button.tsx'
import { Tag } from '../../../components/chip/chip.tsx'
import { Time } from '../../../components/time/time.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { cleaning as texts } from '../../../messages/cleaning.ts'
import { general } from '../../../messages/general.ts'
import { mayDelete, mayUpdate } from '../../../shell/rights.ts'
import styles from './cleaning.module.css'
import { hasFilters, nodesText, type Rule, rulesRight, ruleText } from './rule.ts'
import { useChangeRule } from './use-change-rule.ts'

interface RuleRowProps {
  readonly rule: Rule
  readonly onOpen: (dialog: 'edit' | 'preview' | 'remove') => void
}

/** Retention rule in words with its runs and its buttons; enabling it leads through its preview. */
export function RuleRow({ rule, onOpen }: RuleRowProps) {
  const { attributes } = rule
  const { name, enabled } = attributes
  const me = useMe()
  const toast = useToast()
  const change = useChangeRule(rule)
  const { mutate: disable, isPending } = useMutation({
    mutationFn: () => change({ enabled: false }, anyVersion),
    onSuccess: () => toast.done(texts.disabledDone(name)),
    onError: toast.failed,
  })
  const updateReason = mayUpdate(me, rulesRight) ? undefined : general.needsRight('update', rulesRight)
  const deleteReason = mayDelete(me, rulesRight) ? undefined : general.needsRight('delete', rulesRight)
  return (
    <li className={styles['rule']}>
      <div className={styles['what']}>
        <h3>
          {name} <Tag>{enabled ? texts.enabled : texts.disabled}</Tag>
        </h3>
        <p>{ruleText(attributes)}</p>
        <p className={styles['soft']}>
          {nodesText(attributes.node_paths)}
          {hasFilters(attributes) && ` · ${texts.filtered}`}
        </p>
        <p className={styles['soft']}>
          <code>{texts.schedule(attributes.cron_schedule, attributes.time_zone)}</code>
          {' · '}
          {texts.nextRun} {enabled ? <Time at={attributes.next_run_at} /> : texts.never}
          {' · '}
          {texts.lastRun} {attributes.last_run_at === null ? texts.never : <Time at={attributes.last_run_at} />}
        </p>
      </div>
      <div className={styles['buttons']}>
        {enabled ? (
          <>
            <Button size="small" onClick={() => onOpen('preview')}>
              {texts.preview}
            </Button>
            <Button size="small" disabledReason={updateReason} busy={isPending} onClick={() => disable()}>
              {texts.disable}
            </Button>
          </>
        ) : (
          <Button size="small" onClick={() => onOpen('preview')}>
            {updateReason === undefined ? texts.enable : texts.preview}
          </Button>
        )}
        <IconButton
          label={texts.edit(name)}
          variant="quiet"
          size="small"
          disabledReason={updateReason}
          onClick={() => onOpen('edit')}
        >
          <Pencil size={15} aria-hidden />
        </IconButton>
        <IconButton
          label={texts.remove(name)}
          variant="quiet"
          size="small"
          disabledReason={deleteReason}
          onClick={() => onOpen('remove')}
        >
          <Trash2 size={15} aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}
