import { useState } from 'react'
import { useRecord } from '../../api/queries.ts'
import { Button } from '../../components/button/button.tsx'
import { Chip } from '../../components/chip/chip.tsx'
import { Diff } from '../../components/diff/diff.tsx'
import { Editor } from '../../components/editor/editor.tsx'
import { Select } from '../../components/field/field.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import type { Data } from './data.ts'
import { useConfigurationSearch } from './use-configuration-search.ts'
import { useDocumentText } from './use-document-text.ts'

interface VersionDiffProps {
  readonly own: string
  readonly version: number
  readonly newest: number
  readonly restoreReason: string | undefined
  readonly onRestore: () => void
}

/** One version compared with another, by default with the one before. */
export function VersionDiff({ own, version, newest, restoreReason, onRestore }: VersionDiffProps) {
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
        <Compared own={own} version={version} against={against} layout={layout} />
      ) : (
        <First own={own} version={version} />
      )}
    </div>
  )
}

function Compared({
  own,
  version,
  against,
  layout,
}: {
  own: string
  version: number
  against: number
  layout: 'split' | 'unified'
}) {
  const [before, after] = [useVersion(own, against), useVersion(own, version)]
  const failed = before.isError ? before : after.isError ? after : undefined
  const [old, now] = [useDocumentText(before.data, 'yaml'), useDocumentText(after.data, 'yaml')]
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (old === undefined || now === undefined) return <Skeleton />
  if (old === now) return <EmptyState title={texts.noDifference} />
  return (
    <Diff
      before={old}
      after={now}
      beforeLabel={texts.before(against)}
      afterLabel={texts.before(version)}
      language="yaml"
      layout={layout}
    />
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

function useVersion(own: string, version: number) {
  const { data, isError, error, refetch } = useRecord<'properties_version'>(`${own}/versions/${version}`)
  return { data: data?.attributes.data as Data | undefined, isError, error, refetch }
}
