import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { TextArea, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { PathField } from './path-field.tsx'
import { attributesOf, newRule } from './rule-drafts.ts'
import { RightsOfRule } from './rule-row.tsx'

const pathOfRule = 'authorisation_rules/0/path'
const names = ['name', 'description', pathOfRule]

/** Dialog that creates a policy, with a first rule if a path is given, and opens its page. */
export function NewPolicyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [rule, setRule] = useState(() => newRule('first'))
  const navigate = useNavigate()
  const cache = useQueryClient()
  const toast = useToast()
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
  const { fields, other } = fieldFaults(create.error, names)
  return (
    <FormDialog
      title={texts.newPolicyTitle}
      action={texts.create}
      busy={create.isPending}
      error={other}
      onSubmit={() => create.mutate()}
      onClose={onClose}
      isChecked
    >
      <TextField label={texts.name} value={name} onChange={setName} error={fields['name']} required />
      <TextArea label={texts.description} value={description} onChange={setDescription} error={fields['description']} />
      <PathField
        label={texts.firstRule}
        hint={texts.firstRuleHint}
        value={rule.path}
        onChange={path => setRule({ ...rule, path })}
        error={fields[pathOfRule]}
      />
      {rule.path !== '' && <RightsOfRule rule={rule} onChange={setRule} />}
    </FormDialog>
  )
}
