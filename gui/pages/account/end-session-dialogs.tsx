import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listKey } from '../../api/keys.ts'
import type { Resource, Session } from '../../api/records.ts'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { faultText } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { account as texts } from '../../messages/account.ts'
import { useSignOut } from '../../shell/sign-out.ts'
import { endOtherSessions, endSession, isCurrent, nameOf } from './sessions.ts'

interface Closing {
  readonly onClose: () => void
}

/** Asks before a session is ended. To end the one of this page is to sign out. */
export function EndSessionDialog({ session, onClose }: Closing & { session: Resource<Session> }) {
  const signOut = useSignOut()
  const end = useEnding(() => endSession(session), texts.sessionEnded, onClose)
  const isOwn = isCurrent(session)
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.endTitle(nameOf(session))}
      description={isOwn ? texts.endOwnDetail : texts.endDetail}
      action={texts.endAction}
      danger
      busy={end.isPending}
      onConfirm={() => (isOwn ? signOut() : end.mutate())}
    >
      {end.isError && <p role="alert">{faultText(end.error)}</p>}
    </Confirm>
  )
}

export function EndOthersDialog({ onClose }: Closing) {
  const end = useEnding(endOtherSessions, texts.othersEnded, onClose)
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.endOthersTitle}
      description={texts.endOthersDetail}
      action={texts.endOthersAction}
      danger
      busy={end.isPending}
      onConfirm={() => end.mutate()}
    >
      {end.isError && <p role="alert">{faultText(end.error)}</p>}
    </Confirm>
  )
}

function useEnding(mutationFn: () => Promise<void>, done: string, onClose: () => void) {
  const cache = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      toast.done(done)
      onClose()
    },
    // Some may have ended before one failed.
    onSettled: () => void cache.invalidateQueries({ queryKey: listKey('/api/tokens/sessions') }),
  })
}
