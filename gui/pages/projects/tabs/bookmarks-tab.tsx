import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../../api/client.ts'
import { listKey } from '../../../api/keys.ts'
import { useList } from '../../../api/queries.ts'
import type { Bookmark, Resource } from '../../../api/records.ts'
import { Button, IconButton } from '../../../components/button/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import type { NodeTabProps } from '../node-tab.ts'
import { whyNotChange } from '../why-not.ts'
import { BookmarkDialog, BookmarkLink } from './bookmarks.tsx'
import styles from './tabs.module.css'

/** Bookmarks of a node: list, add, change, remove. */
export default function BookmarksTab({ node, path }: NodeTabProps) {
  const list = `/api${path}/bookmarks`
  const { records, query } = useList<'bookmark'>(list)
  const [editing, setEditing] = useState<Resource<Bookmark> | 'new'>()
  const reason = whyNotChange(node)
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate: remove } = useMutation({
    mutationFn: (id: string) => sluice().remove(`${list}/${id}`),
    onSuccess: () => {
      toast.done(texts.bookmarkRemoved)
      return cache.invalidateQueries({ queryKey: listKey(list) })
    },
    onError: toast.failed,
  })
  const add = (
    <Button size="small" disabledReason={reason} onClick={() => setEditing('new')}>
      <Plus size={14} aria-hidden />
      {texts.addBookmark}
    </Button>
  )
  return (
    <>
      <ListStates
        query={query}
        count={records.length}
        skeleton={3}
        empty={
          <EmptyState title={texts.noBookmarks}>
            <p>{texts.noBookmarksDetail}</p>
            {add}
          </EmptyState>
        }
      >
        <Panel title={texts.bookmarks} flush actions={add}>
          <ul className={styles['rows']}>
            {records.map(bookmark => (
              <li key={bookmark.id}>
                <div className={styles['main']}>
                  <BookmarkLink bookmark={bookmark} />
                  {bookmark.attributes.url && (
                    <span className={styles['line']}>
                      <span className={styles['wrap']}>{bookmark.attributes.url}</span>
                    </span>
                  )}
                </div>
                <span className={styles['end']}>
                  <IconButton
                    label={texts.editBookmarkOf(bookmark.attributes.description)}
                    variant="quiet"
                    size="small"
                    disabledReason={reason}
                    onClick={() => setEditing(bookmark)}
                  >
                    <Pencil size={15} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={texts.removeBookmarkOf(bookmark.attributes.description)}
                    variant="quiet"
                    size="small"
                    disabledReason={reason}
                    onClick={() => remove(bookmark.id)}
                  >
                    <Trash2 size={15} aria-hidden />
                  </IconButton>
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      </ListStates>
      {editing !== undefined && (
        <BookmarkDialog
          path={path}
          bookmark={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
