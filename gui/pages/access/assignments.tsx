import { useMutation } from '@tanstack/react-query'
import { User, UserCheck, Users, UsersRound, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import type { PolicyAssignment, Resource } from '../../api/records.ts'
import { Button, IconButton } from '../../components/button/button.tsx'
import { Select, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormError } from '../../components/form-dialog/form-error.tsx'
import { Panel } from '../../components/page/page.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import styles from './access.module.css'
import { type Assignee, type AssigneeKind, assigneeText, kindOf } from './assignee.ts'
import { useWhyNotWritePolicies } from './why-not.ts'

const icons = { user: User, group: Users, both: UserCheck, everyone: UsersRound }

interface AssignmentsProps {
  readonly policyId: string
  readonly assignments: readonly Resource<PolicyAssignment>[]
  readonly onSaved: () => void
}

/** To whom a policy is assigned; adding and removing take effect at once. */
export function Assignments({ policyId, assignments, onSaved }: AssignmentsProps) {
  const toast = useToast()
  const remove = useMutation({
    mutationFn: ({ id }: Resource<PolicyAssignment>) => sluice().remove(`/api/policy_assignments/${id}`),
    onSuccess: (_, { attributes }) => {
      toast.done(texts.unassigned(assigneeText(attributes)))
      onSaved()
    },
    onError: toast.failed,
  })
  const assign = async (to: Assignee) => {
    await sluice().create('/api/policy_assignments', { authorisation_policy_id: policyId, ...to })
    onSaved()
  }
  const whyNot = useWhyNotWritePolicies()
  return (
    <Panel title={texts.assignments}>
      <div className={styles['stack']}>
        {assignments.length === 0 ? (
          <p className={styles['soft']}>{texts.noAssignments}</p>
        ) : (
          <ul className={styles['list']} aria-label={texts.assignments}>
            {assignments.map(assignment => {
              const { id, attributes } = assignment
              const Icon = icons[kindOf(attributes)]
              return (
                <li key={id}>
                  <span className={styles['state']}>
                    <Icon size={16} aria-hidden />
                    {assigneeText(attributes)}
                  </span>
                  <IconButton
                    label={texts.unassign(assigneeText(attributes))}
                    variant="quiet"
                    size="small"
                    disabledReason={whyNot}
                    onClick={() => remove.mutate(assignment)}
                  >
                    <X size={15} aria-hidden />
                  </IconButton>
                </li>
              )
            })}
          </ul>
        )}
        <AssignForm onAssign={assign} />
      </div>
    </Panel>
  )
}

interface AssignFormProps {
  readonly onAssign: (to: Assignee) => Promise<unknown>
}

function AssignForm({ onAssign }: AssignFormProps) {
  const [kind, setKind] = useState<AssigneeKind>('user')
  const [username, setUsername] = useState('')
  const [groupname, setGroupname] = useState('')
  const toast = useToast()
  const [usersId, groupsId] = [useId(), useId()]
  const users = useList<'user'>('/api/users', { limit: 500, 'filter[sorts]': 'username' })
  const groups = useList<'group'>('/api/groups', { limit: 500 })
  const to: Assignee = {
    username: kind === 'user' || kind === 'both' ? username.trim() : null,
    groupname: kind === 'group' || kind === 'both' ? groupname.trim() : null,
  }
  const assign = useMutation({
    mutationFn: () => onAssign(to),
    onSuccess: () => {
      toast.done(texts.assigned(assigneeText(to)))
      setUsername('')
      setGroupname('')
    },
  })
  const whyNot = useWhyNotWritePolicies()
  const { fields, other } = fieldFaults(assign.error, ['username', 'groupname'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!assign.isPending && whyNot === undefined) assign.mutate()
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <Select
        label={texts.assignKind}
        value={kind}
        onChange={value => setKind(value as AssigneeKind)}
        options={Object.entries(texts.assignKinds)}
      />
      {to.username !== null && (
        <TextField
          label={texts.user}
          value={username}
          onChange={setUsername}
          list={usersId}
          autoComplete="off"
          error={fields['username']}
        />
      )}
      {to.groupname !== null && (
        <TextField
          label={texts.group}
          value={groupname}
          onChange={setGroupname}
          list={groupsId}
          autoComplete="off"
          error={fields['groupname']}
        />
      )}
      <datalist id={usersId}>
        {users.records.map(({ id, attributes }) => (
          <option key={id} value={attributes.username} />
        ))}
      </datalist>
      <datalist id={groupsId}>
        {groups.records.map(({ id, attributes }) => (
          <option key={id} value={attributes.groupname} />
        ))}
      </datalist>
      <FormError text={other} />
      <div>
        <Button type="submit" busy={assign.isPending} disabledReason={whyNot}>
          {texts.assign}
        </Button>
      </div>
    </form>
  )
}
