import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { anyVersion, sluice, write } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import type { Resource, User } from '../../api/records.ts'
import { useEdit } from '../../api/use-edit.ts'
import { Button } from '../../components/button/button.tsx'
import { Conflict } from '../../components/conflict/conflict.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { formFaults } from '../../components/field/faults.ts'
import { TextField } from '../../components/field/field.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import styles from './access.module.css'
import { emptyUser, orNull, type UserForm, userPointers } from './user-form.ts'

/** Address of a user in the API. */
export const userPath = (username: string): string => `/api/users/${encodeURIComponent(username)}`

interface FormDialogProps {
  readonly title: string
  readonly description?: string
  readonly action: string
  readonly isPending: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

function FormDialog({ title, description, action, isPending, onSubmit, onClose, children }: FormDialogProps) {
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) onSubmit()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" form={form} variant="primary" busy={isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={submit} noValidate>
        {children}
      </form>
    </Dialog>
  )
}

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
  const faults = formFaults(create.error)
  const field = (name: keyof UserForm) => ({
    value: form[name],
    onChange: set(name),
    error: faults.at(userPointers[name]),
    autoComplete: 'off',
  })
  return (
    <FormDialog
      title={texts.newUserTitle}
      action={texts.create}
      isPending={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField label={texts.username} hint={texts.usernameHint} {...field('username')} />
      <TextField
        label={texts.password}
        hint={texts.passwordHint}
        type="password"
        {...field('password')}
        autoComplete="new-password"
      />
      <TextField label={texts.displayName} {...field('display_name')} />
      <TextField label={texts.email} type="email" {...field('email_address')} />
      {faults.hasOthers(Object.values(userPointers)) && <p role="alert">{faultText(create.error)}</p>}
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
  const { values, set, save, conflict, takeTheirs } = useEdit<'user', ReturnType<typeof profileOf>>({
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
  const faults = formFaults(save.error)
  const pointers = [userPointers.display_name, userPointers.email_address]
  return (
    <FormDialog
      title={texts.editUserTitle(attributes.username)}
      action={general.save}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={texts.displayName}
        value={values.name}
        onChange={name => set({ name })}
        error={faults.at(userPointers.display_name)}
      />
      <TextField
        label={texts.email}
        type="email"
        value={values.email}
        onChange={email => set({ email })}
        error={faults.at(userPointers.email_address)}
      />
      {conflict ? (
        <Conflict
          theirs={conflict}
          labels={{ name: texts.displayName, email: texts.email }}
          onTakeTheirs={takeTheirs}
        />
      ) : (
        faults.hasOthers(pointers) && <p role="alert">{faultText(save.error)}</p>
      )}
    </FormDialog>
  )
}

/** Dialog that gives another user a new password. */
export function ResetPasswordDialog({ user: { attributes }, onClose }: UserDialogProps) {
  const [password, setPassword] = useState('')
  const save = useUpdateUser(attributes.username, texts.passwordSet, onClose)
  const faults = formFaults(save.error)
  return (
    <FormDialog
      title={texts.resetPasswordTitle(attributes.username)}
      description={texts.resetPasswordDetail}
      action={texts.setPassword}
      isPending={save.isPending}
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
        error={faults.at(userPointers.password)}
      />
      {faults.hasOthers([userPointers.password]) && <p role="alert">{faultText(save.error)}</p>}
    </FormDialog>
  )
}
