import { useState } from 'react'
import { Refused } from '#client/sluice.ts'
import { Chip } from '../../components/chip/chip.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { firstValue, type SettingField } from '../../components/settings-form/setting-field.ts'
import { type Settings, SettingsForm } from '../../components/settings-form/settings-form.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import { ConflictChanges } from './conflict-changes.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { EditorToolbar } from './editor-toolbar.tsx'
import { originOf } from './origin.ts'
import type { OwnRecord } from './own-record.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { rebased, settingErrors } from './settings-draft.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useSave } from './use-save.ts'

interface SettingsEditorProps {
  /** Path of the record in the API. */
  readonly own: string
  /** The newest version that is known. */
  readonly record: OwnRecord
  readonly fields: readonly SettingField[]
  readonly effective: Settings
  /** Texts of the sources of the values in effect. */
  readonly sources: Readonly<Record<string, string>>
  readonly readOnlyReason: string | undefined
  /** Reads the newest version. */
  readonly onReload: () => Promise<unknown>
}

/** Form of own settings with review and conflicts, for a node and for the whole installation. */
export function SettingsEditor(props: SettingsEditorProps) {
  const { own, record, fields, effective, sources, readOnlyReason, onReload } = props
  const [base, setBase] = useState(record)
  const [draft, setDraft] = useState<Settings>()
  const [isReviewed, setIsReviewed] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [filter, setFilter] = useState('')
  const [showsAll, setShowsAll] = useState(true)
  const before = base.attributes.data
  const values = draft ?? before
  const isDirty = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(before)
  const isStale = record.attributes.version > base.attributes.version
  if (isStale && !isDirty) setBase(record)

  const forget = () => {
    setDraft(undefined)
    setIsReviewed(false)
    setErrors({})
  }
  const change = (values: Settings) => {
    setDraft(values)
    setErrors({})
  }
  const onConflict = async () => {
    setIsReviewed(false)
    await onReload()
  }
  const save = useSave({
    own,
    part: 'settings',
    version: base.attributes.version,
    onSaved: saved => {
      setBase(saved)
      forget()
    },
    onConflict,
  })
  const shown = fields.filter(
    ({ name, description }) =>
      `${name} ${description}`.toLowerCase().includes(filter.toLowerCase()) &&
      (showsAll || Object.hasOwn(values, name)),
  )
  const origin = (name: string) => {
    const { kind, name: layer } = originOf(sources[name] ?? '')
    return sources[name] === undefined ? undefined : texts.inherited(kind, layer)
  }

  return (
    <div className={styles['own']}>
      <EditorToolbar
        record={base}
        isDirty={isDirty}
        readOnlyReason={readOnlyReason}
        saveReason={isStale ? texts.conflict(record.attributes.created_by, record.attributes.version) : undefined}
        onReview={() => setIsReviewed(true)}
        onDiscard={forget}
      />
      {isStale && isDirty && (
        <ConflictNotice
          record={record}
          action={texts.keepMine}
          detail={texts.settingsConflictDetail}
          onCompare={() => {
            setDraft(rebased(values, before, record.attributes.data))
            setBase(record)
          }}
          onDiscard={forget}
        />
      )}
      {isStale && isDirty && (
        <ConflictChanges own={own} part="settings" base={base} theirs={record} mine={values} isForm />
      )}
      <div className={styles['toolbar']}>
        <SearchField label={texts.settingsFilter} value={filter} onChange={setFilter} />
        <Chip pressed={showsAll} onPress={() => setShowsAll(true)}>
          {texts.all}
        </Chip>
        <Chip pressed={!showsAll} onPress={() => setShowsAll(false)}>
          {texts.onlyOwn}
        </Chip>
      </div>
      {shown.length === 0 ? (
        <EmptyState title={texts.nothingSet}>{texts.nothingSetDetail}</EmptyState>
      ) : (
        <SettingsForm
          fields={shown}
          own={values}
          effective={effective}
          originOf={origin}
          errors={errors}
          readOnlyReason={readOnlyReason}
          onSet={({ name }, value) => change({ ...values, [name]: value })}
          onBegin={field => change({ ...values, [field.name]: firstValue(field, effective[field.name]) })}
          onUnset={({ name }) => {
            const { [name]: _, ...rest } = values
            change(rest)
          }}
        />
      )}
      {isReviewed && draft && (
        <ReviewDialog
          title={texts.reviewTitle(base.attributes.version + 1)}
          action={texts.save(base.attributes.version + 1)}
          own={own}
          version={base.attributes.version}
          before={before}
          after={draft}
          busy={save.isPending}
          error={save.error}
          onRefused={error => error instanceof Refused && setErrors(settingErrors(error.faults))}
          onStale={onConflict}
          onSave={() => save.mutate(draft)}
          onClose={() => setIsReviewed(false)}
        />
      )}
      <UnsavedGuard isDirty={isDirty} />
    </div>
  )
}
