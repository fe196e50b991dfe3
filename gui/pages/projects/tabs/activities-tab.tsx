import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useList } from '../../../api/queries.ts'
import { allActivityColumns } from '../../../components/activity-table/activity-columns.tsx'
import { activityFields } from '../../../components/activity-table/fields.ts'
import { ColumnsButton } from '../../../components/columns/columns-button.tsx'
import { useColumns } from '../../../components/columns/use-columns.ts'
import { ListTable } from '../../../components/list/list-table.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { sortsParameter } from '../../../components/table/sort.ts'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import { defaultSort, sortParameter } from '../../activities/search.ts'
import { nodeType } from '../node.ts'
import type { NodeTabProps } from '../node-tab.ts'
import styles from './tabs.module.css'

/** Activities of a node and of everything below it. */
export default function ActivitiesTab({ node, path }: NodeTabProps) {
  const { sort = defaultSort } = useSearch({ from: '/projects/$' })
  const navigate = useNavigate({ from: '/projects/$' })
  const setSort = (next: string) =>
    void navigate({
      search: ({ sort: _, ...rest }) => ({ ...rest, ...sortParameter({ sort: next }) }),
      replace: true,
      resetScroll: false,
    })
  const list = useList<'activity'>('/api/activities', {
    limit: 100,
    'filter[under]': path,
    'filter[sorts]': sortsParameter(sort),
    'fields[activity]': activityFields,
  })
  // A leaf is the target of all of its activities.
  const isLeaf = nodeType(node) === 'asset' || nodeType(node) === 'agent'
  const columns = useColumns(
    'node_activities',
    allActivityColumns.filter(({ id }) => !isLeaf || id !== 'target'),
  )
  return (
    <ListTable
      list={list}
      label={texts.activities}
      columns={columns}
      narrowLines={2}
      sort={sort}
      onSort={setSort}
      empty={<EmptyState title={texts.noActivities}>{texts.noActivitiesDetail}</EmptyState>}
    >
      {table => (
        <div className={styles['stack']}>
          <div className={styles['sentence']}>
            <span>{isLeaf ? texts.activitiesHere : texts.activitiesBelow}</span>
            <Link to="/activities" search={{ under: path, ...sortParameter({ sort }) }}>
              {texts.filterActivities}
            </Link>
            <span className={styles['end']}>
              <ColumnsButton columns={columns} />
            </span>
          </div>
          <div className={styles['table']}>{table}</div>
        </div>
      )}
    </ListTable>
  )
}
