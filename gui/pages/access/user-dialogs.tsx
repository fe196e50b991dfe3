import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { anyVersion, sluice, write } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import type { Resource, User } from '../../api/records.ts'
import { useEdit } from '../../api/use-edit.ts'
import { Conflict } from '../../components/conflict/conflict.tsx'
import { TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import { emptyUser, orNull, type UserForm } from './user-form.ts'

/** Address of a user in the API. */
export const userPath = (username: string): string => `/api/users/${encodeURIComponent(username)}`

/** Dialog that creates a local user. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const [form, setForm] = useState(emptyUser)
  const cache = useQueryClient()
  const toast = useToast()
  const set = (name: keyof UserForm) => (value: string) => setForm({ ...form, [name]: value })
  const create = useMutation({
    mutationFn: () =>
      sluice().call('POST /api/users', {
        attributes: {
          username: form.username.trim(),
          password: form.password,
          display_name: orNull(form.display_name),
          email_address: orNull(form.email_address),
        },
      }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: listKey('/api/users') })
      toast.done(texts.created(form.username))
      onClose()
    },
  })
  const { fields, other } = fieldFaults(create.error, Object.keys(emptyUser))
  const field = (name: keyof UserForm) => ({
    value: form[name],
    onChange: set(name),
    error: fields[name],
    autoComplete: 'off',
  })
  return (
    <FormDialog
      title={texts.newUserTitle}
      action={texts.create}
      busy={create.isPending}
      error={other}
      onSubmit={() => create.mutate()}
      onClose={onClose}
      isChecked
    >
      <TextField label={texts.username} hint={texts.usernameHint} {...field('username')} required />
      <TextField
        label={texts.password}
        hint={texts.passwordHint}
        type="password"
        {...field('password')}
        autoComplete="new-password"
        required
      />
      <TextField label={texts.displayName} {...field('display_name')} />
      <TextField label={texts.email} type="email" {...field('email_address')} />
    </FormDialog>
  )
}

interface UserDialogProps {
  readonly user: Resource<User>
  readonly onClose: () => void
}

/** Saves attributes of a user, and reads again what shows them. */
export function useUpdateUser(username: string, done: string, onSuccess?: () => void) {
  const cache = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (attributes: object) => write('PATCH', userPath(username), { attributes }, anyVersion),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: recordKey(userPath(username)) })
      void cache.invalidateQueries({ queryKey: listKey('/api/users') })
      toast.done(done)
      onSuccess?.()
    },
  })
}

const profileOf = ({ display_name: name, email_address: email }: User) => ({ name: name ?? '', email: email ?? '' })

/** Dialog for the display name and the mail address of a user. */
export function EditUserDialog({ user: { attributes }, onClose }: UserDialogProps) {
  const path = userPath(attributes.username)
  const cache = useQueryClient()
  const toast = useToast()
  const { values, set, save, isSaving, error, conflict, takeTheirs } = useEdit<'user', ReturnType<typeof profileOf>>({
    path,
    initial: profileOf(attributes),
    valuesOf: profileOf,
    attributesOf: ({ name, email }) => ({ display_name: orNull(name), email_address: orNull(email) }),
    onSaved: () => {
      void cache.invalidateQueries({ queryKey: recordKey(path) })
      void cache.invalidateQueries({ queryKey: listKey('/api/users') })
      toast.done(texts.saved)
      onClose()
    },
  })
  const { fields, other } = fieldFaults(error, ['display_name', 'email_address'])
  return (
    <FormDialog
      title={texts.editUserTitle(attributes.username)}
      action={general.save}
      busy={isSaving}
      error={other}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={texts.displayName}
        value={values.name}
        onChange={name => set({ name })}
        error={fields['display_name']}
      />
      <TextField
        label={texts.email}
        type="email"
        value={values.email}
        onChange={email => set({ email })}
        error={fields['email_address']}
      />
      {conflict && (
        <Conflict
          theirs={conflict}
          labels={{ name: texts.displayName, email: texts.email }}
          onTakeTheirs={takeTheirs}
        />
      )}
    </FormDialog>
  )
}

/** Dialog that gives another user a new password. */
export function ResetPasswordDialog({ user: { attributes }, onClose }: UserDialogProps) {
  const [password, setPassword] = useState('')
  const save = useUpdateUser(attributes.username, texts.passwordSet, onClose)
  const { fields, other } = fieldFaults(save.error, ['password'])
  return (
    <FormDialog
      title={texts.resetPasswordTitle(attributes.username)}
      description={texts.resetPasswordDetail}
      action={texts.setPassword}
      busy={save.isPending}
      error={other}
      onSubmit={() => save.mutate({ password })}
      onClose={onClose}
    >
      <TextField
        label={texts.password}
        hint={texts.passwordHint}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={fields['password']}
      />
    </FormDialog>
  )
}
