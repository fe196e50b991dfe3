import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { sluice } from '../../../api/client.ts'
import { fieldFaults } from '../../../api/field-faults.ts'
import { Button } from '../../../components/button/button.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { TextArea, TextField } from '../../../components/field/field.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { general } from '../../../messages/general.ts'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import type { NodeRecord } from '../node.ts'
import styles from './form-error.module.css'
import { FormError } from './form-error.tsx'
import { refreshNode } from './refresh-node.ts'

interface EditDialogProps {
  readonly node: NodeRecord
  readonly path: string
  readonly onClose: () => void
}

/** Dialog that changes name and description of a node. */
export function EditDialog({ node, path, onClose }: EditDialogProps) {
  const [name, setName] = useState(node.attributes.name)
  const [description, setDescription] = useState(node.attributes.description)
  const formId = useId()
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sluice().update(`/api${path}`, { name, description }),
    onSuccess: async () => {
      await refreshNode(cache, path)
      toast.done(texts.saved)
      onClose()
    },
  })
  const { fields, other } = fieldFaults(error, ['name', 'description'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.editTitle(node.attributes.name)}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button variant="primary" type="submit" form={formId} busy={isPending}>
            {general.save}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles['form']} onSubmit={submit}>
        <TextField label={texts.name} value={name} onChange={setName} error={fields['name']} required />
        <TextArea
          label={texts.description}
          value={description}
          onChange={setDescription}
          error={fields['description']}
        />
        <FormError text={other} />
      </form>
    </Dialog>
  )
}
