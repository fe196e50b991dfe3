import { useMemo, useState } from 'react'
import { useRecord } from '../../api/queries.ts'
import { Button } from '../../components/button/button.tsx'
import { Chip, Tag } from '../../components/chip/chip.tsx'
import { Diff } from '../../components/diff/diff.tsx'
import { Editor } from '../../components/editor/editor.tsx'
import { Select } from '../../components/field/field.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import changedStyles from './changed-list.module.css'
import { ChangedList } from './changed-list.tsx'
import { changedValues } from './changed-values.ts'
import styles from './configuration.module.css'
import type { Data } from './data.ts'
import type { Part } from './node.ts'
import { useConfigurationSearch } from './use-configuration-search.ts'
import { useDocumentText } from './use-document-text.ts'

interface VersionDiffProps {
  readonly own: string
  readonly part: Part
  readonly version: number
  readonly newest: number
  readonly restoreReason: string | undefined
  readonly onRestore: () => void
}

/** One version compared with another, by default with the one before. */
export function VersionDiff({ own, part, version, newest, restoreReason, onRestore }: VersionDiffProps) {
  const [search, change] = useConfigurationSearch()
  const [layout, setLayout] = useState<'split' | 'unified'>('unified')
  const against = search.against ?? version - 1
  const others = Array.from({ length: newest }, (_, i) => newest - i).filter(each => each !== version)
  return (
    <div className={styles['diff']}>
      <div className={`${styles['toolbar']} ${styles['atEnd']}`}>
        {others.length > 0 && (
          <Select
            label={texts.compareWith}
            value={String(against)}
            onChange={value => change({ against: Number(value) })}
            options={[
              ...(against === 0 ? [['0', texts.emptyVersion] as const] : []),
              ...others.map(each => [String(each), texts.versionChoice(each)] as const),
            ]}
          />
        )}
        {against > 0 && (
          <fieldset className={styles['choice']}>
            <legend className="visually-hidden">{texts.layout}</legend>
            {(['unified', 'split'] as const).map(each => (
              <Chip key={each} pressed={each === layout} onPress={() => setLayout(each)}>
                {texts.layouts[each]}
              </Chip>
            ))}
          </fieldset>
        )}
        <span className={styles['space']} />
        <Button disabledReason={restoreReason} onClick={onRestore}>
          {texts.restore}
        </Button>
      </div>
      {against > 0 ? (
        <Compared own={own} part={part} version={version} against={against} layout={layout} />
      ) : (
        <First own={own} version={version} />
      )}
    </div>
  )
}

function Compared({
  own,
  part,
  version,
  against,
  layout,
}: {
  own: string
  part: Part
  version: number
  against: number
  layout: 'split' | 'unified'
}) {
  const [before, after] = [useVersion(own, against), useVersion(own, version, { against })]
  const changed = useMemo(
    () => (before.data && after.data ? changedValues(before.data, after.data, after.pointers) : []),
    [before.data, after.data, after.pointers],
  )
  const failed = before.isError ? before : after.isError ? after : undefined
  const [old, now] = [useDocumentText(before.data, 'yaml'), useDocumentText(after.data, 'yaml')]
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (old === undefined || now === undefined) return <Skeleton />
  if (old === now && changed.length === 0) return <EmptyState title={texts.noDifference} />
  return (
    <>
      <details className={changedStyles['changedPanel']} open={changed.length <= openUpTo}>
        <summary>
          {texts.changedValues(changed.length + after.leftOut)}
          {changed.some(({ isHidden }) => isHidden) && <Tag>{texts.secret}</Tag>}
        </summary>
        <ChangedList label={texts.changedValues(changed.length + after.leftOut)} values={changed} part={part} />
      </details>
      {old === now ? (
        <EmptyState title={texts.onlyHidden} />
      ) : (
        <Diff
          before={old}
          after={now}
          beforeLabel={texts.before(against)}
          afterLabel={texts.before(version)}
          language="yaml"
          layout={layout}
        />
      )}
    </>
  )
}

/** The first version has none before it: it is shown as it is. */
function First({ own, version }: { own: string; version: number }) {
  const record = useVersion(own, version)
  const text = useDocumentText(record.data, 'yaml')
  if (record.isError) return <ErrorState error={record.error} onRetry={() => void record.refetch()} />
  if (text === undefined) return <Skeleton />
  if (text === '') return <EmptyState title={texts.emptyVersion} />
  return <Editor label={texts.versionChoice(version)} value={text} language="yaml" readOnly />
}

function useVersion(own: string, version: number, query?: { against: number }) {
  const { data, isError, error, refetch } = useRecord<'properties_version'>(`${own}/versions/${version}`, query)
  return {
    data: data?.attributes.data as Data | undefined,
    pointers: (data?.meta?.['changed_pointers'] ?? none) as readonly string[],
    /** Number of further pointers. */
    leftOut: (data?.meta?.['changed_pointers_left_out'] ?? 0) as number,
    isError,
    error,
    refetch,
  }
}

const none: readonly string[] = []

/** Number of changed values up to which their list is open; a longer one is asked for. */
const openUpTo = 12
