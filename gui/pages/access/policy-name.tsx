import type { AuthorisationPolicy, Resource } from '../../api/records.ts'
import { useEdit } from '../../api/use-edit.ts'
import { Conflict } from '../../components/conflict/conflict.tsx'
import { TextArea, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'

interface PolicyNameProps {
  readonly policy: Resource<AuthorisationPolicy>
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Dialog for the name and description of a policy. */
export function PolicyNameDialog({ policy, onClose, onSaved }: PolicyNameProps) {
  const toast = useToast()
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
  const { fields, other } = fieldFaults(save.error, ['name', 'description'])
  return (
    <FormDialog
      title={texts.editPolicyTitle}
      action={general.save}
      busy={save.isPending}
      error={conflict ? undefined : other}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label={texts.name} value={values.name} onChange={name => set({ name })} error={fields['name']} />
      <TextArea
        label={texts.description}
        value={values.description}
        onChange={description => set({ description })}
        error={fields['description']}
      />
      {conflict && (
        <Conflict
          theirs={conflict}
          labels={{ name: texts.name, description: texts.description }}
          onTakeTheirs={takeTheirs}
        />
      )}
    </FormDialog>
  )
}
