import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { useMe } from '../../../api/session.tsx'
import { Button } from '../../../components/button/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { cleaning as texts } from '../../../messages/cleaning.ts'
import { general } from '../../../messages/general.ts'
import { mayUpdate } from '../../../shell/rights.ts'
import { every } from '../every.ts'
import styles from '../part.module.css'
import { LastRuns } from './last-runs.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { type Rule, rulesPath, rulesRight } from './rule.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleRow } from './rule-row.tsx'

/** What is open: the form of a new rule, or a dialog on a rule. */
type Open = { readonly dialog: 'create' } | { readonly dialog: 'edit' | 'preview' | 'remove'; readonly rule: Rule }

/** Retention rules with their previews, and their last runs. */
export default function CleaningPart() {
  const { records, query } = useList<'data_cleanup_definition'>(rulesPath, { limit: 100 }, { every })
  const [open, setOpen] = useState<Open>()
  const reason = mayUpdate(useMe(), rulesRight) ? undefined : general.needsRight('update', rulesRight)
  const close = () => setOpen(undefined)
  const add = (
    <Button size="small" disabledReason={reason} onClick={() => setOpen({ dialog: 'create' })}>
      <Plus size={14} aria-hidden />
      {texts.add}
    </Button>
  )
  return (
    <div className={styles['stack']}>
      <ListStates
        query={query}
        count={records.length}
        empty={
          <Panel>
            <EmptyState title={texts.none} command={texts.noneCommand}>
              <p>{texts.noneDetail}</p>
              {add}
            </EmptyState>
          </Panel>
        }
      >
        <Panel title={texts.rules} flush actions={add}>
          <ul>
            {records.map(rule => (
              <RuleRow key={rule.id} rule={rule} onOpen={dialog => setOpen({ dialog, rule })} />
            ))}
          </ul>
        </Panel>
      </ListStates>
      <LastRuns />
      {open?.dialog === 'create' && (
        <RuleDialog onClose={close} onCreated={rule => setOpen({ dialog: 'preview', rule })} />
      )}
      {open?.dialog === 'edit' && <RuleDialog rule={open.rule} onClose={close} />}
      {open?.dialog === 'preview' && <PreviewDialog rule={open.rule} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveDialog rule={open.rule} onClose={close} />}
    </div>
  )
}
