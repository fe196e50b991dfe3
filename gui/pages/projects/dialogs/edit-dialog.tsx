import { useQueryClient } from '@tanstack/react-query'
import { useEdit } from '../../../api/use-edit.ts'
import { Conflict } from '../../../components/conflict/conflict.tsx'
import { TextArea, TextField } from '../../../components/field/field.tsx'
import { fieldFaults } from '../../../components/field/field-faults.ts'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { general } from '../../../messages/general.ts'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import type { NodeRecord } from '../node.ts'
import { refreshNode } from './refresh-node.ts'

interface EditDialogProps {
  readonly node: NodeRecord
  readonly path: string
  readonly onClose: () => void
}

const valuesOf = ({ name, description }: Pick<NodeRecord['attributes'], 'name' | 'description'>) => ({
  name,
  description: description ?? '',
})

/** Dialog that changes name and description of a node. */
export function EditDialog({ node, path, onClose }: EditDialogProps) {
  const cache = useQueryClient()
  const toast = useToast()
  const { values, set, save, conflict, takeTheirs } = useEdit<'asset', ReturnType<typeof valuesOf>>({
    path: `/api${path}`,
    initial: valuesOf(node.attributes),
    valuesOf,
    attributesOf: attributes => attributes,
    onSaved: async () => {
      await refreshNode(cache, path)
      toast.done(texts.saved)
      onClose()
    },
  })
  const { fields, other } = fieldFaults(save.error, ['name', 'description'])
  return (
    <FormDialog
      title={texts.editTitle(node.attributes.name)}
      action={general.save}
      busy={save.isPending}
      error={conflict ? undefined : other}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.name}
        value={values.name}
        onChange={name => set({ name })}
        error={fields['name']}
        required
      />
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
