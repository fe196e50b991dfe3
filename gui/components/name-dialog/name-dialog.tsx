import type { Edit } from '../../api/use-edit.ts'
import { general } from '../../messages/general.ts'
import { Conflict } from '../conflict/conflict.tsx'
import { TextArea, TextField } from '../field/field.tsx'
import { fieldFaults } from '../field/field-faults.ts'
import { FormDialog } from '../form-dialog/form-dialog.tsx'

/** Name and description of a record as a form has them: both are texts. */
export interface Naming {
  readonly name: string
  readonly description: string
}

/** Name and description of a record for the form. */
export const namingOf = ({ name, description }: { name: string; description?: string | null }): Naming => ({
  name,
  description: description ?? '',
})

interface NameDialogProps {
  readonly title: string
  readonly labels: Readonly<Record<keyof Naming, string>>
  readonly edit: Edit<Naming>
  /** Whether the browser refuses an empty name. */
  readonly isRequired?: boolean
  readonly onClose: () => void
}

/** Dialog for the name and the description of a record. */
export function NameDialog({ title, labels, edit, isRequired = false, onClose }: NameDialogProps) {
  const { values, set, save, isSaving, error, conflict, takeTheirs } = edit
  const { fields, other } = fieldFaults(error, ['name', 'description'])
  return (
    <FormDialog
      title={title}
      action={general.save}
      busy={isSaving}
      error={other}
      onSubmit={save}
      onClose={onClose}
      isChecked={isRequired}
    >
      <TextField
        label={labels.name}
        value={values.name}
        onChange={name => set({ name })}
        error={fields['name']}
        required={isRequired}
      />
      <TextArea
        label={labels.description}
        value={values.description}
        onChange={description => set({ description })}
        error={fields['description']}
      />
      <Conflict theirs={conflict} labels={labels} onTakeTheirs={takeTheirs} />
    </FormDialog>
  )
}
