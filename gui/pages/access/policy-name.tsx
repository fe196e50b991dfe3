import { type FormEvent, useId } from 'react'
import type { AuthorisationPolicy, Resource } from '../../api/records.ts'
import { useEdit } from '../../api/use-edit.ts'
import { Button } from '../../components/button/button.tsx'
import { Conflict } from '../../components/conflict/conflict.tsx'
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
  const toast = useToast()
  const form = useId()
  const valuesOf = (attributes: AuthorisationPolicy) => ({
    name: attributes.name,
    description: attributes.description ?? '',
  })
  const { values, set, save, conflict, takeTheirs } = useEdit<'authorisation_policy', ReturnType<typeof valuesOf>>({
    path: `/api/authorisation_policies/${policy.id}`,
    initial: valuesOf(policy.attributes),
    valuesOf,
    attributesOf: ({ name, description }) => ({ name, description: description === '' ? null : description }),
    onSaved: () => {
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
        <TextField
          label={texts.name}
          value={values.name}
          onChange={name => set({ name })}
          error={faults.at(pointers.name)}
        />
        <TextArea
          label={texts.description}
          value={values.description}
          onChange={description => set({ description })}
          error={faults.at(pointers.description)}
        />
        {conflict ? (
          <Conflict
            theirs={conflict}
            labels={{ name: texts.name, description: texts.description }}
            onTakeTheirs={takeTheirs}
          />
        ) : (
          faults.hasOthers(Object.values(pointers)) && <p role="alert">{faultText(save.error)}</p>
        )}
      </form>
    </Dialog>
  )
}
