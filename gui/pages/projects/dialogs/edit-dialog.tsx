import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { write } from '../../../api/client.ts'
import { isStatus } from '../../../api/query-client.ts'
import { useVersioned } from '../../../api/versioned.ts'
import { TextArea, TextField } from '../../../components/field/field.tsx'
import { fieldFaults } from '../../../components/field/field-faults.ts'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { general } from '../../../messages/general.ts'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import type { NodeRecord } from '../node.ts'
import styles from './dialogs.module.css'
import { refreshNode } from './refresh-node.ts'

interface EditDialogProps {
  readonly node: NodeRecord
  readonly path: string
  readonly onClose: () => void
}

/**
 * Dialog that changes name and description of a node. What somebody else has changed since it was read is not
 * overwritten: fields that were not typed in take the new values, and the rest is saved again.
 */
export function EditDialog({ node, path, onClose }: EditDialogProps) {
  const read = useVersioned<'asset'>(`/api${path}`)
  const known = read.data?.record.attributes ?? node.attributes
  const [typed, setTyped] = useState<{ readonly name?: string; readonly description?: string }>({})
  const { name, description } = { name: known.name, description: known.description, ...typed }
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      write('PATCH', `/api${path}`, { attributes: { name, description } }, read.data ?? (await read.refetch()).data!),
    onSuccess: async () => {
      await refreshNode(cache, path)
      toast.done(texts.saved)
      onClose()
    },
    onError: failed => {
      if (isStatus(failed, 412)) void read.refetch()
    },
  })
  const { fields, other } = fieldFaults(error ?? read.error, ['name', 'description'])
  const hasChanged = isStatus(error, 412)
  return (
    <FormDialog
      title={texts.editTitle(node.attributes.name)}
      action={general.save}
      busy={isPending || read.isFetching}
      error={hasChanged ? undefined : other}
      onSubmit={() => mutate()}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.name}
        value={name}
        onChange={value => setTyped({ ...typed, name: value })}
        error={fields['name']}
        required
      />
      <TextArea
        label={texts.description}
        value={description}
        onChange={value => setTyped({ ...typed, description: value })}
        error={fields['description']}
      />
      {hasChanged && (
        <p className={styles['notice']} role="alert">
          {texts.changedMeanwhile}
        </p>
      )}
    </FormDialog>
  )
}
