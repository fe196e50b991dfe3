import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ban, Check, KeyRound, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import type { Resource, User } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { access as texts } from '../../messages/access.ts'
import { isSuperuser } from '../../shell/rights.ts'
import { EditUserDialog, ResetPasswordDialog, userPath, useUpdateUser } from './user-dialogs.tsx'

type Open = 'edit' | 'password' | 'disable' | 'delete' | undefined

/** What can be done with a user. */
export function UserActions({ user }: { user: Resource<User> }) {
  const me = useMe()
  const [open, setOpen] = useState<Open>()
  const { username, disabled, auth_provider: provider } = user.attributes
  const isMe = me.id === user.id
  const notPermitted = isSuperuser(me) || isMe ? undefined : texts.onlySuperusers
  const notHere = provider === 'local' ? notPermitted : texts.fromDirectory
  const notMe = isMe ? texts.notYourself : undefined
  const close = () => setOpen(undefined)
  const enable = useUpdateUser(username, texts.saved)
  return (
    <>
      <Button disabledReason={notHere} onClick={() => setOpen('edit')}>
        <Pencil size={16} aria-hidden />
        {texts.editUser}
      </Button>
      <Button disabledReason={notHere ?? notMe} onClick={() => setOpen('password')}>
        <KeyRound size={16} aria-hidden />
        {texts.resetPassword}
      </Button>
      <Button
        disabledReason={notHere ?? notMe}
        busy={enable.isPending}
        onClick={() => (disabled ? enable.mutate({ disabled: false }) : setOpen('disable'))}
      >
        {disabled ? <Check size={16} aria-hidden /> : <Ban size={16} aria-hidden />}
        {disabled ? texts.enable : texts.disable}
      </Button>
      <Button disabledReason={notPermitted ?? notMe} onClick={() => setOpen('delete')}>
        <Trash2 size={16} aria-hidden />
        {texts.deleteUser}
      </Button>
      {open === 'edit' && <EditUserDialog user={user} onClose={close} />}
      {open === 'password' && <ResetPasswordDialog user={user} onClose={close} />}
      {open === 'disable' && <DisableDialog username={username} onClose={close} />}
      {open === 'delete' && <DeleteDialog username={username} onClose={close} />}
    </>
  )
}

function DisableDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const disable = useUpdateUser(username, texts.saved, onClose)
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.disableTitle(username)}
      description={texts.disableDetail}
      action={texts.disableAction}
      danger
      busy={disable.isPending}
      onConfirm={() => disable.mutate({ disabled: true })}
    >
      {disable.isError && <p role="alert">{faultText(disable.error)}</p>}
    </Confirm>
  )
}

function DeleteDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => sluice().remove(userPath(username)),
    onSuccess: () => {
      toast.done(texts.deleted(username))
      void navigate({ to: '/access', search: { view: 'users' } })
      void cache.invalidateQueries({ queryKey: listKey('/api/users') })
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.deleteUserTitle(username)}
      description={texts.deleteUserDetail}
      action={texts.deleteUserAction}
      danger
      busy={remove.isPending}
      typed={username}
      typedLabel={texts.deleteUserTyped(username)}
      onConfirm={() => remove.mutate()}
    >
      {remove.isError && <p role="alert">{faultText(remove.error)}</p>}
    </Confirm>
  )
}
