import { useQueryClient } from '@tanstack/react-query'
import { listKey } from '../../api/keys.ts'
import type { GitRemote, Resource } from '../../api/records.ts'
import { type Edit, useEdit } from '../../api/use-edit.ts'
import { Conflict } from '../../components/conflict/conflict.tsx'
import { Checkbox, TextArea, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { remotes } from '../../messages/remotes.ts'
import {
  attributesOf,
  type CredentialName,
  credentialsFor,
  isRemoved,
  noRemote,
  type RemoteValues,
  valuesOf,
  withoutCredentials,
  withRemoved,
} from './remote-form.ts'

const texts = remotes.dialog
const fields = [
  'name',
  'url',
  'public_url',
  'user',
  'password',
  'ssh_key_data',
  'passphrase',
  'periodic_fetch_interval',
]

interface RemoteDialogProps {
  /** Path of the list of remotes in the API. */
  readonly list: string
  /** Undefined for a new one. */
  readonly remote: Resource<GitRemote> | undefined
  readonly onClose: () => void
}

/** Dialog that creates or changes a Git remote. Stored credentials are never shown: they are kept, replaced or removed. */
export function RemoteDialog({ list, remote, onClose }: RemoteDialogProps) {
  const cache = useQueryClient()
  const toast = useToast()
  const edit = useEdit<'git_remote', RemoteValues>({
    path: remote && `${list}/${remote.id}`,
    createAt: list,
    initial: remote ? valuesOf(remote.attributes) : noRemote,
    valuesOf,
    attributesOf,
    onSaved: async saved => {
      await cache.invalidateQueries({ queryKey: listKey(list) })
      toast.done(remotes.saved((saved as Resource<GitRemote>).attributes.name))
      onClose()
    },
  })
  const { values, set, save, isSaving, error, conflict, takeTheirs } = edit
  const faults = fieldFaults(error, fields)
  const text = (name: 'name' | 'url' | 'public_url' | 'user') => ({
    label: texts.labels[name],
    value: values[name],
    onChange: (value: string) => set({ [name]: value }),
    error: faults.fields[name],
  })
  const isStored = (name: CredentialName) => remote !== undefined && remote.attributes[name] !== null
  return (
    <FormDialog
      title={remote ? texts.editTitle(remote.attributes.name) : texts.createTitle}
      action={remote ? general.save : texts.createAction}
      busy={isSaving}
      error={faults.other}
      onSubmit={save}
      onClose={onClose}
      isChecked
    >
      <TextField {...text('name')} required autoFocus={!remote} autoComplete="off" />
      <TextField
        {...text('url')}
        hint={remote ? texts.urlMoveHint : texts.urlHint}
        required
        autoComplete="off"
        spellCheck={false}
      />
      <TextField {...text('user')} autoComplete="off" spellCheck={false} />
      {credentialsFor(values.url, isStored).map(name => (
        <CredentialField key={name} name={name} edit={edit} isStored={isStored(name)} error={faults.fields[name]} />
      ))}
      <TextField {...text('public_url')} hint={texts.publicUrlHint} inputMode="url" autoComplete="off" />
      <TextField
        label={texts.labels.interval}
        hint={texts.intervalHint}
        value={values.interval}
        onChange={interval => set({ interval })}
        error={faults.fields['periodic_fetch_interval']}
        inputMode="numeric"
        autoComplete="off"
      />
      <Conflict theirs={conflict && withoutCredentials(conflict)} labels={texts.labels} onTakeTheirs={takeTheirs} />
    </FormDialog>
  )
}

interface CredentialFieldProps {
  readonly name: CredentialName
  readonly edit: Edit<RemoteValues>
  /** Whether the remote has one. */
  readonly isStored: boolean
  readonly error: string | undefined
}

/** Field for one credential, with the choice to remove the stored one. */
function CredentialField({ name, edit: { values, set }, isStored, error }: CredentialFieldProps) {
  const isGone = isRemoved(values, name)
  const field = {
    label: texts.labels[name],
    hint: isStored ? (isGone ? texts.removesHint : texts.isSet) : undefined,
    value: values[name],
    // Another one replaces what is stored.
    onChange: (value: string) => set({ ...withRemoved(values, name, false), [name]: value }),
    error,
  }
  return (
    <>
      {name === 'ssh_key_data' ? (
        <TextArea {...field} code rows={4} autoComplete="off" />
      ) : (
        <TextField {...field} type="password" autoComplete="new-password" />
      )}
      {isStored && (
        <Checkbox
          label={texts.removes[name]}
          checked={isGone}
          onChange={isOn => set(withRemoved(values, name, isOn))}
        />
      )}
    </>
  )
}
