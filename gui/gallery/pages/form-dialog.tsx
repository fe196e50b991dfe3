import { TextField } from '../../components/field/field.tsx'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'

const ignore = () => {}

export function FormDialogPage() {
  return (
    <FormDialog
      title="New policy"
      action="Create the policy"
      busy={false}
      error="A policy with this name exists already."
      onSubmit={ignore}
      onClose={ignore}
    >
      <TextField label="Name" value="Operators" onChange={ignore} />
    </FormDialog>
  )
}
