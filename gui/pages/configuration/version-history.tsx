import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { useList, useRecord } from '../../api/queries.ts'
import type { PropertiesVersion, Resource } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { type Column, rowLink, Table } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { general } from '../../messages/general.ts'
import styles from './configuration.module.css'
import type { Data } from './data.ts'
import { type ConfigurationTabProps, ownPath, type Part } from './node.ts'
import { whyReadOnly } from './own-document.tsx'
import type { OwnRecord } from './own-record.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { useConfigurationSearch } from './use-configuration-search.ts'
import { useRefresh } from './use-save.ts'
import { VersionDiff } from './version-diff.tsx'

/** Versions of a node's own document, the difference between any two, and restoring one of them. */
export function VersionHistory({ node, path, part }: ConfigurationTabProps & { part: Part }) {
  const own = ownPath(node, part)
  if (own === undefined) return <EmptyState title={general.notFound}>{general.notFoundDetail}</EmptyState>
  return <Versions own={own} part={part} readOnlyReason={whyReadOnly(node, path, part)} />
}

interface VersionsProps {
  /** Path of the record in the API. */
  readonly own: string
  readonly part: Part
  readonly readOnlyReason: string | undefined
}

function Versions({ own, part, readOnlyReason }: VersionsProps) {
  const { records, query } = useList<'properties_version'>(`${own}/versions`, { exclude_data: true, limit: 100 })
  const [search] = useConfigurationSearch()
  const [restoring, setRestoring] = useState<number>()
  if (query.isPending) return <Skeleton />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const newest = records[0]?.attributes.version ?? 1
  const version = Math.min(search.version ?? newest, newest)
  return (
    <div className={styles['history']}>
      <div className={styles['versions']} style={{ '--rows': records.length } as CSSProperties}>
        <Table
          label={texts.versionsTable}
          columns={columns(version, newest)}
          rows={records}
          keyOf={({ id }) => id}
          hasMore={query.hasNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      </div>
      <VersionDiff
        own={own}
        part={part}
        version={version}
        newest={newest}
        restoreReason={version === newest ? texts.restoreIsCurrent : readOnlyReason}
        onRestore={() => setRestoring(version)}
      />
      {restoring !== undefined && (
        <Restore own={own} version={restoring} newest={newest} onClose={() => setRestoring(undefined)} />
      )}
    </div>
  )
}

const columns = (chosen: number, newest: number): readonly Column<Resource<PropertiesVersion>>[] => [
  {
    id: 'version',
    title: texts.columns.version,
    width: 'minmax(96px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes: { version } }) => (
      <span className={styles['versionCell']}>
        <Link
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, version, against: undefined })}
          resetScroll={false}
          className={rowLink}
          aria-current={version === chosen ? 'true' : undefined}
        >
          {texts.version(version)}
        </Link>
        {version === newest && <Tag>{texts.current}</Tag>}
      </span>
    ),
  },
  {
    id: 'author',
    title: texts.columns.author,
    width: 'minmax(64px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes }) => attributes.created_by,
  },
  {
    id: 'time',
    title: texts.columns.time,
    width: 'minmax(96px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes }) => (
      <span className={styles['soft']}>
        <Time at={attributes.created_at} />
      </span>
    ),
  },
]

function Restore({
  own,
  version,
  newest,
  onClose,
}: {
  own: string
  version: number
  newest: number
  onClose: () => void
}) {
  const [current, old] = [useRecord<'properties'>(own), useRecord<'properties_version'>(`${own}/versions/${version}`)]
  const refresh = useRefresh(own)
  const toast = useToast()
  const [, change] = useConfigurationSearch()
  const restore = useMutation({
    mutationFn: () => sluice().create(`${own}/versions/${version}/restore`) as unknown as Promise<OwnRecord>,
    onSuccess: saved => {
      refresh(saved)
      toast.done(texts.saved(saved.attributes.version))
      change({ version: undefined, against: undefined })
      onClose()
    },
  })
  if (!current.data || !old.data) return null
  return (
    <ReviewDialog
      title={texts.restoreTitle(version, newest + 1)}
      action={texts.save(newest + 1)}
      own={own}
      before={current.data.attributes.data as Data}
      after={old.data.attributes.data as Data}
      busy={restore.isPending}
      error={restore.error}
      onSave={() => restore.mutate()}
      onClose={onClose}
    />
  )
}
