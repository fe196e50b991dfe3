import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { sluice } from '../../api/client.ts'
import type { AuthorisationPolicy, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { formFaults } from '../../components/field/faults.ts'
import { TextArea, TextField } from '../../components/field/field.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import styles from './access.module.css'

const pointers = { name: '/data/attributes/name', description: '/data/attributes/description' }

interface PolicyNameProps {
  readonly policy: Resource<AuthorisationPolicy>
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Dialog for the name and description of a policy. */
export function PolicyNameDialog({ policy, onClose, onSaved }: PolicyNameProps) {
  const [name, setName] = useState(policy.attributes.name)
  const [description, setDescription] = useState(policy.attributes.description ?? '')
  const toast = useToast()
  const form = useId()
  const save = useMutation({
    mutationFn: () =>
      sluice().call('PATCH /api/authorisation_policies/{id}', {
        path: { id: policy.id },
        attributes: { name, description: description === '' ? null : description },
      }),
    onSuccess: () => {
      toast.done(texts.saved)
      onSaved()
      onClose()
    },
  })
  const faults = formFaults(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.editPolicyTitle}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={save.isPending}>
            {general.save}
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
        {faults.hasOthers(Object.values(pointers)) && <p role="alert">{faultText(save.error)}</p>}
      </form>
    </Dialog>
  )
}
