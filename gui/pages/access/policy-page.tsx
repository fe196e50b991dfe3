import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import type { AuthorisationPolicy, AuthorisationRule, PolicyAssignment, Resource } from '../../api/records.ts'
import { useVersioned, type Versioned, versionedKey } from '../../api/versioned.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { apiCommand } from '../../components/command/api-command.ts'
import { shellWord } from '../../components/command/words.ts'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import styles from './access.module.css'
import { Assignments } from './assignments.tsx'
import { PolicyNameDialog } from './policy-name.tsx'
import { RulesEditor } from './rules-editor.tsx'
import type { StoredRules } from './use-rule-drafts.ts'
import { useWhyNotWritePolicies } from './why-not.ts'

/** One policy: its rules and to whom it is assigned. */
export function PolicyPage() {
  const { id } = useParams({ from: '/access/policies/$id' })
  const path = `/api/authorisation_policies/${encodeURIComponent(id)}`
  const parts = { include: 'authorisation_rules,policy_assignments' }
  const query = useVersioned<'authorisation_policy'>(path, parts)
  const commands = [`sluice show authorisation_policy ${shellWord(id)}`, apiCommand(path, parts)]
  const cache = useQueryClient()
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: versionedKey(path) })
    void cache.invalidateQueries({ queryKey: listKey('/api/authorisation_policies') })
    for (const report of ['/api/authorisation_summary', '/api/authorisation_check'])
      void cache.invalidateQueries({ queryKey: recordKey(report) })
  }
  if (!query.data)
    return (
      <Page title={texts.policyTitle} documentTitle={texts.policyTitle} above={<Above />} commands={commands}>
        <Unread query={query} />
      </Page>
    )
  const policy = query.data.record
  const assignments = query.data.included.filter(({ type }) => type === 'policy_assignment')
  const readRules = async () => {
    refresh()
    const { data } = await query.refetch()
    return data && storedRules(data)
  }
  const { name, description, system } = policy.attributes
  return (
    <Page
      title={
        <>
          <h1>{name}</h1>
          {system && <Tag>{texts.systemPolicy}</Tag>}
        </>
      }
      documentTitle={name}
      subtitle={description ?? undefined}
      commands={commands}
      above={<Above />}
      actions={!system && <Actions policy={policy} assignmentCount={assignments.length} onSaved={refresh} />}
    >
      <div className={`${styles['columns']} ${styles['withSide']}`}>
        {system ? (
          <Panel title={texts.rules}>
            <p className={styles['soft']}>{texts.systemReadOnly}</p>
          </Panel>
        ) : (
          <RulesEditor key={id} policyId={id} current={storedRules(query.data)} onRead={readRules} />
        )}
        <Assignments
          policyId={id}
          assignments={assignments as unknown as Resource<PolicyAssignment>[]}
          onSaved={refresh}
        />
      </div>
    </Page>
  )
}

const storedRules = ({ included, etag }: Versioned<AuthorisationPolicy>): StoredRules => ({
  rules: included.filter(({ type }) => type === 'authorisation_rule') as unknown as Resource<AuthorisationRule>[],
  etag,
})

const Above = () => <Link to="/access">{texts.title}</Link>

interface ActionsProps {
  readonly policy: Resource<AuthorisationPolicy>
  readonly assignmentCount: number
  readonly onSaved: () => void
}

function Actions({ policy, assignmentCount, onSaved }: ActionsProps) {
  const [open, setOpen] = useState<'name' | 'delete'>()
  const whyNot = useWhyNotWritePolicies()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const toast = useToast()
  const { name } = policy.attributes
  const remove = useMutation({
    mutationFn: () => sluice().remove(`/api/authorisation_policies/${policy.id}`),
    onSuccess: () => {
      toast.done(texts.deleted(name))
      void navigate({ to: '/access' })
      void cache.invalidateQueries({ queryKey: listKey('/api/authorisation_policies') })
    },
  })
  const close = () => setOpen(undefined)
  return (
    <>
      <Button disabledReason={whyNot} onClick={() => setOpen('name')}>
        <Pencil size={16} aria-hidden />
        {texts.editPolicy}
      </Button>
      <Button disabledReason={whyNot} onClick={() => setOpen('delete')}>
        <Trash2 size={16} aria-hidden />
        {texts.deletePolicy}
      </Button>
      {open === 'name' && <PolicyNameDialog policy={policy} onClose={close} onSaved={onSaved} />}
      <Confirm
        open={open === 'delete'}
        onClose={close}
        title={texts.deletePolicyTitle(name)}
        description={texts.deletePolicyDetail(assignmentCount)}
        action={texts.deletePolicyAction}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {remove.isError && <p role="alert">{faultText(remove.error)}</p>}
      </Confirm>
    </>
  )
}
