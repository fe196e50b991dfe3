import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { formFaults } from '../../components/field/faults.ts'
import { TextArea, TextField } from '../../components/field/field.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import styles from './access.module.css'
import { PathField } from './path-field.tsx'
import { attributesOf, newRule } from './rule-drafts.ts'
import { RightsOfRule } from './rule-row.tsx'

const pointers = {
  name: '/data/attributes/name',
  description: '/data/attributes/description',
  path: '/data/attributes/authorisation_rules/0/path',
}

/** Dialog that creates a policy, with a first rule if a path is given, and opens its page. */
export function NewPolicyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [rule, setRule] = useState(() => newRule('first'))
  const navigate = useNavigate()
  const cache = useQueryClient()
  const toast = useToast()
  const form = useId()
  const create = useMutation({
    mutationFn: () =>
      sluice().call('POST /api/authorisation_policies', {
        attributes: {
          name,
          ...(description !== '' && { description }),
          ...(rule.path.trim() !== '' && { authorisation_rules: [attributesOf(rule)] }),
        },
      }),
    onSuccess: ({ id }) => {
      void cache.invalidateQueries({ queryKey: listKey('/api/authorisation_policies') })
      toast.done(texts.created(name))
      void navigate({ to: '/access/policies/$id', params: { id } })
    },
  })
  const faults = formFaults(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.newPolicyTitle}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={create.isPending}>
            {texts.create}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={submit} noValidate>
        <TextField label={texts.name} value={name} onChange={setName} error={faults.at(pointers.name)} />
        <TextArea
          label={texts.description}
          value={description}
          onChange={setDescription}
          error={faults.at(pointers.description)}
        />
        <PathField
          label={texts.firstRule}
          hint={texts.firstRuleHint}
          value={rule.path}
          onChange={path => setRule({ ...rule, path })}
          error={faults.at(pointers.path)}
        />
        {rule.path !== '' && <RightsOfRule rule={rule} onChange={setRule} />}
        {faults.hasOthers(Object.values(pointers)) && <p role="alert">{faultText(create.error)}</p>}
      </form>
    </Dialog>
  )
}
