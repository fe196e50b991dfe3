import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { useList, useRecord } from '../../api/queries.ts'
import type { PropertiesVersion, Resource } from '../../api/records.ts'
import { useSeen } from '../../api/use-seen.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { type Column, type FewColumns, rowLink } from '../../components/table/table.tsx'
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
  const list = useList<'properties_version'>(`${own}/versions`, { exclude_data: true, limit: 100 })
  const { records, query } = list
  const [search] = useConfigurationSearch()
  const [restoring, setRestoring] = useState<number>()
  if (records.length === 0 && !query.isSuccess) return <Unread query={query} />
  const newest = records[0]?.attributes.version ?? 1
  const version = Math.min(search.version ?? newest, newest)
  return (
    <div className={styles['history']}>
      <div className={styles['versions']} style={{ '--rows': records.length } as CSSProperties}>
        <ListTable list={list} label={texts.versionsTable} columns={columns(version, newest)} empty={null} />
      </div>
      <VersionDiff
        own={own}
        part={part}
        version={version}
        newest={newest}
        restoreReason={version === newest ? texts.restoreIsCurrent : readOnlyReason}
        onRestore={() => setRestoring(version)}
      />
      {restoring !== undefined && <Restore own={own} version={restoring} onClose={() => setRestoring(undefined)} />}
    </div>
  )
}

const columns = (chosen: number, newest: number): FewColumns<Column<Resource<PropertiesVersion>>> => [
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

/** Review of an old version before it becomes the newest, over the version that the review compares it with. */
function Restore({ own, version, onClose }: { own: string; version: number; onClose: () => void }) {
  const old = useRecord<'properties_version'>(`${own}/versions/${version}`)
  const { seen, hasChanged, save } = useSeen<'properties'>(own, (now, before) => now.version === before.version)
  const refresh = useRefresh(own)
  const toast = useToast()
  const [, change] = useConfigurationSearch()
  const restore = useMutation({
    mutationFn: async () => {
      let saved: OwnRecord | undefined
      await save(async over => {
        const answer = await sluice().send('POST', `${own}/versions/${version}/restore`, { ifMatch: over.etag })
        saved = answer!.data as unknown as OwnRecord
      })
      return saved
    },
    onSuccess: saved => {
      if (!saved) return
      refresh(saved)
      toast.done(texts.saved(saved.attributes.version))
      change({ version: undefined, against: undefined })
      onClose()
    },
  })
  if (!seen || !old.data) return null
  const { version: newest, created_by: author, data } = seen.record.attributes
  return (
    <ReviewDialog
      title={texts.restoreTitle(version, newest + 1)}
      action={texts.save(newest + 1)}
      own={own}
      version={newest}
      before={data as Data}
      after={old.data.attributes.data as Data}
      {...(hasChanged && { conflict: texts.restoreMeanwhile(author, newest) })}
      busy={restore.isPending}
      error={restore.error}
      onSave={() => restore.mutate()}
      onClose={onClose}
    />
  )
}
