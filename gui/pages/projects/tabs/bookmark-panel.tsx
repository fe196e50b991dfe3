import { Link } from '@tanstack/react-router'
import { useList } from '../../../api/queries.ts'
import { Panel } from '../../../components/page/page.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import type { NodeTabProps } from '../node-tab.ts'
import { BookmarkLink } from './bookmarks.tsx'
import styles from './tabs.module.css'

/** Bookmarks that the overview lists. */
const most = 8

/** Bookmarks of a node on its overview; nothing while there are none. */
export function BookmarkPanel({ path }: NodeTabProps) {
  const { records } = useList<'bookmark'>(`/api${path}/bookmarks`)
  if (records.length === 0) return null
  return (
    <Panel
      title={texts.bookmarks}
      flush
      actions={
        <Link to="." search={(before: Record<string, unknown>) => ({ ...before, tab: 'bookmarks' })}>
          {texts.editBookmark}
        </Link>
      }
    >
      <ul className={styles['rows']}>
        {records.slice(0, most).map(bookmark => (
          <li key={bookmark.id}>
            <BookmarkLink bookmark={bookmark} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
