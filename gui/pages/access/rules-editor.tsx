import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { write } from '../../api/client.ts'
import { isStatus } from '../../api/query-client.ts'
import { Button } from '../../components/button/button.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormError } from '../../components/form-dialog/form-error.tsx'
import { Panel } from '../../components/page/page.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { attributesOf, changesOf, depthOf, draftsOf, newRule, type RuleDraft } from './rule-drafts.ts'
import { RuleRow } from './rule-row.tsx'
import { RulesConflictDialog, RulesConflictNotice } from './rules-conflict.tsx'
import styles from './rules-editor.module.css'
import { rights } from './search.ts'
import { type StoredRules, useRuleDrafts } from './use-rule-drafts.ts'
import { useWhyNotWritePolicies } from './why-not.ts'

interface RulesEditorProps {
  readonly policyId: string
  /** The policy as the service has it now, as far as the page knows. */
  readonly current: StoredRules
  /** Reads the policy again. */
  readonly onRead: () => Promise<StoredRules | undefined>
}

/** Rules of a policy as a tree of paths; they are saved together. */
export function RulesEditor({ policyId, current, onRead }: RulesEditorProps) {
  const { stored, drafts, setDrafts, base, adopt, theirs } = useRuleDrafts(current)
  const added = useRef(0)
  const toast = useToast()
  const save = useMutation({
    mutationFn: (over: StoredRules) =>
      write(
        'PUT',
        `/api/authorisation_policies/${policyId}/rules`,
        { attributes: { authorisation_rules: drafts.map(attributesOf) } },
        over,
      ),
    onSuccess: async () => {
      toast.done(texts.savedRules)
      const saved = await onRead()
      if (saved) adopt(saved)
    },
    onError: async error => {
      if (isStatus(error, 412)) await onRead()
    },
  })
  const [isComparing, setIsComparing] = useState(false)
  const conflict = save.isPending ? undefined : theirs
  const places = drafts.map((_, at) => `authorisation_rules/${at}/path`)
  const { fields, other } = fieldFaults(conflict && isStatus(save.error, 412) ? undefined : save.error, places)
  const changes = changesOf(stored, drafts)
  const replace = (rule: RuleDraft) => setDrafts(drafts.map(each => (each.key === rule.key ? rule : each)))
  const add = () => {
    added.current += 1
    setDrafts([...drafts, newRule(`new-${added.current}`)])
  }
  return (
    <Panel title={texts.rules} flush>
      <p className={styles['hint']}>{texts.rulesHint}</p>
      {drafts.length === 0 ? (
        <p className={styles['none']}>{texts.noRules}</p>
      ) : (
        <>
          <div className={styles['head']} aria-hidden>
            <span>{texts.path}</span>
            <span className={styles['headRights']}>
              {rights.map(right => (
                <span key={right}>{texts.rights[right]}</span>
              ))}
            </span>
          </div>
          <ul className={styles['rules']} aria-label={texts.rules}>
            {drafts.map((rule, at) => (
              <RuleRow
                key={rule.key}
                rule={rule}
                depth={depthOf(rule.path, drafts)}
                error={fields[places[at] ?? '']}
                onChange={replace}
                onRemove={() => setDrafts(drafts.filter(({ key }) => key !== rule.key))}
              />
            ))}
          </ul>
        </>
      )}
      <div className={styles['foot']}>
        {conflict && <RulesConflictNotice onCompare={() => setIsComparing(true)} onDiscard={() => adopt(conflict)} />}
        <FormError text={other} />
        <Button disabledReason={useWhyNotWritePolicies()} onClick={add}>
          <Plus size={16} aria-hidden />
          {texts.addRule}
        </Button>
        {changes > 0 && (
          <div className={styles['unsaved']}>
            <span>{texts.unsaved(changes)}</span>
            <Button
              onClick={() => {
                save.reset()
                setDrafts(stored)
              }}
            >
              {texts.discard}
            </Button>
            <Button
              variant="primary"
              busy={save.isPending}
              onClick={() => (conflict ? setIsComparing(true) : save.mutate(base))}
            >
              {texts.saveRules}
            </Button>
          </div>
        )}
      </div>
      {isComparing && conflict && (
        <RulesConflictDialog
          theirs={draftsOf(conflict.rules)}
          mine={drafts}
          onClose={() => setIsComparing(false)}
          onTakeTheirs={() => {
            setIsComparing(false)
            save.reset()
            adopt(conflict)
          }}
          onSaveMine={() => {
            setIsComparing(false)
            save.mutate(conflict)
          }}
        />
      )}
    </Panel>
  )
}
