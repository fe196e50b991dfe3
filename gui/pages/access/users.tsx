import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleSlash, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import type { Resource, User } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { ColumnsButton } from '../../components/columns/columns-button.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import { ListFrame } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { type Column, rowLink } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import { isSuperuser } from '../../shell/rights.ts'
import styles from './access.module.css'
import { userFilterWords } from './filter-words.ts'
import { userQuery } from './queries.ts'
import type { ViewProps } from './search.ts'
import { NewUserDialog } from './user-dialogs.tsx'

/** List of users; people without the right to read all of them see themselves. */
export function Users({ search, onChange }: ViewProps) {
  const me = useMe()
  const [isCreating, setIsCreating] = useState(false)
  const [text, setText] = useDebounced(search.find ?? '', find => onChange({ find }))
  const query = userQuery(search)
  const list = useList<'user'>('/api/users', query)
  const columns = useColumns('users', userColumns)
  const reason = isSuperuser(me) ? undefined : texts.onlySuperusers
  return (
    <ListFrame
      filters={
        <div className={styles['bar']}>
          <SearchField label={texts.findUser} value={text} onChange={setText} />
          <div className={styles['barEnd']}>
            <ColumnsButton columns={columns} />
            <RefreshDirectory disabledReason={reason} />
            <Button variant="primary" disabledReason={reason} onClick={() => setIsCreating(true)}>
              <Plus size={16} aria-hidden />
              {texts.newUser}
            </Button>
          </div>
        </div>
      }
      row={
        <FilterRow
          list={list}
          path="/api/users"
          query={query}
          noun={texts.nouns.users}
          search={search}
          words={userFilterWords}
          onChange={onChange}
          onClear={() => onChange({ find: undefined, group: undefined })}
        />
      }
    >
      <ListTable
        list={list}
        label={texts.usersLabel}
        columns={columns}
        narrowLines={2}
        skeleton={6}
        empty={<EmptyState title={texts.nothingMatches} />}
      />
      {isCreating && <NewUserDialog onClose={() => setIsCreating(false)} />}
    </ListFrame>
  )
}

/** Button that reads users and groups from the directory anew. */
export function RefreshDirectory({ disabledReason }: { disabledReason: string | undefined }) {
  const toast = useToast()
  const refresh = useMutation({
    mutationFn: () => sluice().send('POST', '/api/ldap_refresh'),
    onSuccess: () =>
      toast.done(
        <>
          {texts.refreshStarted}{' '}
          <Link to="/audit" search={{ type: 'ldap_refresh' }}>
            {texts.showRefreshes}
          </Link>
        </>,
      ),
    onError: toast.failed,
  })
  return (
    <Button busy={refresh.isPending} disabledReason={disabledReason} onClick={() => refresh.mutate()}>
      <RefreshCw size={16} aria-hidden />
      {texts.refreshDirectory}
    </Button>
  )
}

type Row = Resource<User>

/** Groups of a user; the API types them as any value. */
export const groupsOf = ({ groupnames }: User): readonly string[] =>
  Array.isArray(groupnames) ? groupnames.map(String) : []

/** Whether a user is disabled, in words and with an icon. */
export const UserState = ({ disabled }: { disabled: boolean }) => (
  <span className={styles['state']}>
    {disabled && <CircleSlash size={15} aria-hidden />}
    {disabled ? texts.disabled : texts.active}
  </span>
)

const userColumns: readonly Column<Row>[] = [
  {
    id: 'name',
    isFixed: true,
    title: texts.userColumns.name,
    width: 'minmax(200px, 1.4fr)',
    narrow: 'minmax(0, 1fr)',
    cell: row => (
      <span className={styles['name']}>
        <Link to="/access/users/$username" params={{ username: row.attributes.username }} className={rowLink}>
          {row.attributes.username}
        </Link>
        <span className={`only-wide ${styles['soft']}`}>{row.attributes.display_name}</span>
        {isSuperuser(row) && <Tag>{texts.superuser}</Tag>}
        {row.attributes.auth_provider === 'ldap' && <Tag>{texts.directory}</Tag>}
        <span className={`only-narrow ${styles['below']}`}>{row.attributes.display_name}</span>
      </span>
    ),
  },
  {
    id: 'email',
    title: texts.userColumns.email,
    width: 'minmax(140px, 1fr)',
    cell: ({ attributes }) => attributes.email_address || general.none,
  },
  {
    id: 'groups',
    title: texts.userColumns.groups,
    width: 'minmax(120px, 1fr)',
    cell: ({ attributes }) => {
      const groups = groupsOf(attributes).join(', ')
      return <span title={groups}>{groups || general.none}</span>
    },
  },
  {
    id: 'state',
    title: texts.userColumns.state,
    width: '104px',
    narrow: '84px',
    cell: ({ attributes }) => <UserState disabled={attributes.disabled} />,
  },
  {
    id: 'created',
    title: texts.userColumns.created,
    width: '132px',
    cell: ({ attributes }) => (
      <span className={styles['soft']}>
        <Time at={attributes.created_at} />
      </span>
    ),
  },
]
