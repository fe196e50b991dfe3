import { useState } from 'react'
import { Diff } from '../../components/diff/diff.tsx'
import type { CompletionSource } from '../../components/editor/completion.ts'
import { Editor } from '../../components/editor/editor.tsx'
import type { Language } from '../../components/editor/place.ts'
import type { Problem } from '../../components/editor/problems.ts'
import { Skeleton } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { encryption } from '../../messages/encryption.ts'
import styles from './configuration.module.css'
import { ConflictChanges } from './conflict-changes.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import type { Data } from './data.ts'
import { documentText, readDocument } from './document-text.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { EncryptButton } from './encrypt-button.tsx'
import type { Token } from './leaves.ts'
import type { Part } from './node.ts'
import type { OwnRecord } from './own-record.ts'
import { ProblemList } from './problem-list.tsx'
import { withValue } from './property-path.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { mergedDocument } from './three-way.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useDocumentText } from './use-document-text.ts'
import { useSave } from './use-save.ts'

interface DocumentEditorProps {
  readonly own: string
  readonly part: Part
  /** The newest version that is known. */
  readonly record: OwnRecord
  readonly readOnlyReason: string | undefined
  readonly completion?: CompletionSource
  /** Node whose values can be encrypted here, and why the user cannot. */
  readonly secrets?: { readonly nodePath: string; readonly disabledReason: string | undefined }
  /** Reads the newest version. */
  readonly onReload: () => Promise<unknown>
}

/**
 * Editor of a whole document. It keeps the version that the text is based on: when another version is saved meanwhile,
 * both are compared with that version and merged, and the result is saved on top of the other version.
 */
export function DocumentEditor(props: DocumentEditorProps) {
  const { own, part, record, readOnlyReason, completion, secrets, onReload } = props
  const [language, setLanguage] = useState<Language>('yaml')
  const [base, setBase] = useState(record)
  const [draft, setDraft] = useState<string>()
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const [reviewed, setReviewed] = useState<Data>()
  const [compared, setCompared] = useState<{ readonly base: OwnRecord; readonly mine: Data | undefined }>()
  const toast = useToast()
  const original = useDocumentText(base.attributes.data, language)
  const isDirty = draft !== undefined && draft !== original
  const isStale = record.attributes.version > base.attributes.version
  if (isStale && !isDirty) setBase(record)

  const forget = () => {
    setDraft(undefined)
    setProblems([])
    setCompared(undefined)
    setReviewed(undefined)
  }
  const compare = async () => {
    const mine = await read()
    // A text with problems cannot be merged: it stays as it is beside the other version.
    if (mine) setDraft(await documentText(mergedDocument(base.attributes.data, record.attributes.data, mine), language))
    setCompared({ base, mine })
    setBase(record)
  }
  const onConflict = async () => {
    setReviewed(undefined)
    await onReload()
  }
  const save = useSave({
    own,
    part,
    version: base.attributes.version,
    onSaved: saved => {
      setBase(saved)
      forget()
    },
    onConflict,
  })
  const read = async (): Promise<Data | undefined> => {
    const result = await readDocument(draft ?? original ?? '', language)
    setProblems('problems' in result ? result.problems : [])
    return 'data' in result ? result.data : undefined
  }
  const review = async () => {
    if (isDirty && readOnlyReason === undefined && !isStale) setReviewed(await read())
  }
  const chooseLanguage = async (to: Language) => {
    const data = isDirty ? await read() : undefined
    if (isDirty && !data) return
    setDraft(data && (await documentText(data, to)))
    setLanguage(to)
  }

  const insert = async (tokens: readonly Token[], reference: string) => {
    const data = await read()
    const changed = data && withValue(data, tokens, reference)
    if (changed) setDraft(await documentText(changed, language))
    toast.done(encryption.inserted)
  }
  const whyNotInsert = async (tokens: readonly Token[]) => {
    const data = await read()
    if (!data) return encryption.hasProblems
    return withValue(data, tokens, '') ? undefined : encryption.noPlace
  }

  if (original === undefined) return <Skeleton />
  const edit = {
    onChange: (text: string) => {
      setDraft(text)
      if (problems.length > 0) setProblems([])
    },
  }
  return (
    <div className={styles['own']}>
      <EditorToolbar
        record={base}
        language={language}
        onLanguage={to => void chooseLanguage(to)}
        isDirty={isDirty}
        readOnlyReason={readOnlyReason}
        saveReason={
          isStale && isDirty ? texts.conflict(record.attributes.created_by, record.attributes.version) : undefined
        }
        more={secrets && <EncryptButton {...secrets} whyNot={whyNotInsert} onStored={insert} />}
        onReview={() => void review()}
        onDiscard={forget}
      />
      {isStale && isDirty && <ConflictNotice record={record} onCompare={() => void compare()} onDiscard={forget} />}
      {compared &&
        (compared.mine ? (
          <ConflictChanges own={own} part={part} base={compared.base} theirs={base} mine={compared.mine} />
        ) : (
          <p className={styles['soft']}>{texts.notMerged}</p>
        ))}
      {compared ? (
        <Diff
          before={original}
          after={draft ?? original}
          beforeLabel={texts.theirs(base.attributes.created_by, base.attributes.version)}
          afterLabel={compared.mine ? texts.merged : texts.mine}
          language={language}
          {...edit}
        />
      ) : (
        <Editor
          label={texts[part]}
          value={draft ?? original}
          language={language}
          readOnly={readOnlyReason !== undefined}
          problems={problems}
          onSave={() => void review()}
          onSubmit={() => void review()}
          {...(completion && { completion })}
          {...edit}
        />
      )}
      <ProblemList problems={problems} />
      {reviewed && (
        <ReviewDialog
          title={texts.reviewTitle(base.attributes.version + 1)}
          action={texts.save(base.attributes.version + 1)}
          own={own}
          version={base.attributes.version}
          before={base.attributes.data}
          after={reviewed}
          busy={save.isPending}
          error={save.error}
          onStale={onConflict}
          onSave={() => save.mutate(reviewed)}
          onClose={() => setReviewed(undefined)}
        />
      )}
      <UnsavedGuard isDirty={isDirty} />
    </div>
  )
}
