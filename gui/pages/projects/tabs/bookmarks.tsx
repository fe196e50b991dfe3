import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, NotebookPen } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { sluice } from '../../../api/client.ts'
import { fieldFaults } from '../../../api/field-faults.ts'
import { listKey } from '../../../api/keys.ts'
import type { Bookmark, Resource } from '../../../api/records.ts'
import { Button } from '../../../components/button/button.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { TextField } from '../../../components/field/field.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { general } from '../../../messages/general.ts'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import styles from '../dialogs/form-error.module.css'
import { FormError } from '../dialogs/form-error.tsx'
import { safeUrl } from '../safe-url.ts'

/** A bookmark as a link; without an address that may be opened, as a note. */
export function BookmarkLink({ bookmark: { attributes } }: { bookmark: Resource<Bookmark> }) {
  const url = safeUrl(attributes.url)
  if (url === undefined)
    return (
      <span>
        <NotebookPen size={14} aria-hidden /> {attributes.description}
      </span>
    )
  return (
    <a href={url} rel="noreferrer" target="_blank">
      <ExternalLink size={14} aria-hidden /> {attributes.description}
    </a>
  )
}

interface BookmarkDialogProps {
  /** Path of the node. */
  readonly path: string
  /** Undefined to add one. */
  readonly bookmark: Resource<Bookmark> | undefined
  readonly onClose: () => void
}

/** Dialog that adds or changes a bookmark. */
export function BookmarkDialog({ path, bookmark, onClose }: BookmarkDialogProps) {
  const [description, setDescription] = useState(bookmark?.attributes.description ?? '')
  const [url, setUrl] = useState(bookmark?.attributes.url ?? '')
  const formId = useId()
  const cache = useQueryClient()
  const toast = useToast()
  const list = `/api${path}/bookmarks`
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const attributes = { description, url: url.trim() === '' ? null : url.trim() }
      return bookmark ? sluice().update(`${list}/${bookmark.id}`, attributes) : sluice().create(list, attributes)
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: listKey(list) })
      toast.done(texts.bookmarkSaved)
      onClose()
    },
  })
  const { fields, other } = fieldFaults(error, ['description', 'url'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.bookmarkTitle}
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
        <TextField
          label={texts.bookmarkText}
          value={description}
          onChange={setDescription}
          error={fields['description']}
          required
        />
        <TextField
          label={texts.bookmarkUrl}
          hint={texts.bookmarkUrlHint}
          value={url}
          onChange={setUrl}
          error={fields['url']}
          inputMode="url"
          autoComplete="off"
        />
        <FormError text={other} />
      </form>
    </Dialog>
  )
}
