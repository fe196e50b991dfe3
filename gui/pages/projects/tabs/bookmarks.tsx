import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink, NotebookPen } from 'lucide-react'
import { listKey } from '../../../api/keys.ts'
import type { Bookmark, Resource } from '../../../api/records.ts'
import { useEdit } from '../../../api/use-edit.ts'
import { Conflict } from '../../../components/conflict/conflict.tsx'
import { TextField } from '../../../components/field/field.tsx'
import { fieldFaults } from '../../../components/field/field-faults.ts'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { general } from '../../../messages/general.ts'
import { nodeTabs as texts } from '../../../messages/projects.ts'
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

const valuesOf = (bookmark: Pick<Bookmark, 'description' | 'url'> | undefined) => ({
  description: bookmark?.description ?? '',
  url: bookmark?.url ?? '',
})

interface BookmarkDialogProps {
  /** Path of the node. */
  readonly path: string
  /** Undefined to add one. */
  readonly bookmark: Resource<Bookmark> | undefined
  readonly onClose: () => void
}

/** Dialog that adds or changes a bookmark. */
export function BookmarkDialog({ path, bookmark, onClose }: BookmarkDialogProps) {
  const cache = useQueryClient()
  const toast = useToast()
  const list = `/api${path}/bookmarks`
  const { values, set, save, isSaving, error, conflict, takeTheirs } = useEdit<'bookmark', ReturnType<typeof valuesOf>>(
    {
      path: bookmark && `${list}/${bookmark.id}`,
      createAt: list,
      initial: valuesOf(bookmark?.attributes),
      valuesOf,
      attributesOf: ({ description, url }) => ({ description, url: url.trim() === '' ? null : url.trim() }),
      onSaved: async () => {
        await cache.invalidateQueries({ queryKey: listKey(list) })
        toast.done(texts.bookmarkSaved)
        onClose()
      },
    },
  )
  const { fields, other } = fieldFaults(error, ['description', 'url'])
  return (
    <FormDialog
      title={texts.bookmarkTitle}
      action={general.save}
      busy={isSaving}
      error={other}
      onSubmit={save}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.bookmarkText}
        value={values.description}
        onChange={description => set({ description })}
        error={fields['description']}
        required
      />
      <TextField
        label={texts.bookmarkUrl}
        hint={texts.bookmarkUrlHint}
        value={values.url}
        onChange={url => set({ url })}
        error={fields['url']}
        inputMode="url"
        autoComplete="off"
      />
      {conflict && (
        <Conflict
          theirs={conflict}
          labels={{ description: texts.bookmarkText, url: texts.bookmarkUrl }}
          onTakeTheirs={takeTheirs}
        />
      )}
    </FormDialog>
  )
}
