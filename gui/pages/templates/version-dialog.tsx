import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { nothing, type Written, write } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { overSeen } from '../../api/over-seen.ts'
import { isStatus } from '../../api/query-client.ts'
import type { TemplateVersion } from '../../api/records.ts'
import { readVersioned, type Versioned } from '../../api/versioned.ts'
import { ChangedNotice } from '../../components/conflict/conflict.tsx'
import { Checkbox, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { Time } from '../../components/time/time.tsx'
import { templates } from '../../messages/templates.ts'
import { Blockers, isInUse } from '../projects/dialogs/blockers.tsx'
import { versionSource } from '../projects/versions.ts'

const texts = templates.versionDialog

/**
 * Dialog that creates a version of a template, which begins its fetch. A version that is there already is not touched:
 * the dialog shows it, and replaces it only if that is asked for, and then only as it was shown.
 */
export function VersionDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [version, setVersion] = useState('')
  const [revision, setRevision] = useState('main')
  const [follows, setFollows] = useState(false)
  const [isFixed, setIsFixed] = useState(false)
  const [there, setThere] = useState<Versioned<TemplateVersion>>()
  const self = `${path}/versions/${encodeURIComponent(version)}`
  // It is about the version of this name only.
  const existing = there?.record.attributes.version === version ? there : undefined
  const cache = useQueryClient()
  const save = useMutation({
    mutationFn: async ({ movesUsers }: { movesUsers: boolean }) => {
      const body = {
        attributes: { git_rev: revision, float_git_rev: follows, locked: isFixed },
        ...(movesUsers && { meta: { ignore_in_use: true } }),
      }
      const { now } = existing
        ? await overSeen({
            seen: existing,
            read: () => readVersioned<TemplateVersion>(self),
            isSame: isSameVersion,
            send: over => write('PUT', self, body, over),
          })
        : { now: await createVersion(self, body) }
      setThere(now)
      return now === undefined
    },
    onSuccess: isSaved => {
      void cache.invalidateQueries({ queryKey: listKey(`${path}/versions`) })
      if (isSaved) onClose()
    },
  })
  const inUse = existing && isInUse(save.error) ? save.error : undefined
  const { fields, other } = fieldFaults(save.error, ['git_rev', 'version'])
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      save.reset()
    }
  return (
    <FormDialog
      title={texts.title}
      action={existing ? (inUse ? texts.replaceUsed(version) : texts.replace(version)) : texts.submit}
      busy={save.isPending}
      error={inUse ? undefined : other}
      onSubmit={() => save.mutate({ movesUsers: inUse !== undefined })}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.version}
        hint={texts.versionHint}
        value={version}
        onChange={change(setVersion)}
        error={fields['version']}
        required
        autoFocus
        autoComplete="off"
      />
      <TextField
        label={texts.revision}
        hint={texts.revisionHint}
        value={revision}
        onChange={change(setRevision)}
        error={fields['git_rev']}
        required
        autoComplete="off"
        spellCheck={false}
      />
      <Checkbox label={texts.follow} checked={follows} onChange={change(setFollows)} />
      <Checkbox label={texts.fixed} checked={isFixed} onChange={change(setIsFixed)} />
      {existing && <Existing version={existing.record.attributes} revision={revision} />}
      {inUse && (
        <div>
          <p>{texts.usedBy}</p>
          <Blockers error={inUse} onFollow={onClose} />
        </div>
      )}
    </FormDialog>
  )
}

/** Creates a version; returns the one that is there already instead. */
async function createVersion(path: string, body: Written): Promise<Versioned<TemplateVersion> | undefined> {
  try {
    await write('PUT', path, body, nothing)
    return undefined
  } catch (error) {
    if (!isStatus(error, 412)) throw error
    return readVersioned(path)
  }
}

/** Whether what a replacement changes is the same. Its fetches may end meanwhile. */
function isSameVersion(now: Versioned<TemplateVersion>, before: Versioned<TemplateVersion>): boolean {
  const [one, other] = [now.record.attributes, before.record.attributes]
  return replaced.every(name => one[name] === other[name])
}

const replaced = ['git_rev', 'locked', 'float_git_rev', 'archived'] as const

/** Version of the same name that is there already, and what becomes of it. */
function Existing({ version, revision }: { version: TemplateVersion; revision: string }) {
  const { version: name, git_rev: before, state, locked, float_git_rev: floats, archived } = version
  const facts = [
    versionSource({ ...version, version: '' }),
    templates.states[state],
    locked && templates.locked,
    floats && templates.floats,
    archived && templates.archived,
  ]
  return (
    <ChangedNotice title={texts.existsTitle(name)}>
      <p>
        {facts.filter(Boolean).join(' · ')}
        {' · '}
        {texts.createdBy(version.created_by)} <Time at={version.created_at} />
      </p>
      <p>{texts.existsDetail(before, revision)}</p>
    </ChangedNotice>
  )
}
