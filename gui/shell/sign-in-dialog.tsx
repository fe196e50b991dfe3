import { useSession } from '../api/session.tsx'
import { Dialog } from '../components/dialog/dialog.tsx'
import { shell } from '../messages/shell.ts'
import { SignInForm } from './sign-in.tsx'

interface SignInDialogProps {
  readonly description: string
  /** Absent if nothing works without a session, so that the dialog stays. */
  readonly onClose?: () => void
}

/** Dialog over the page in which the same user begins another session, so that what was typed on the page is not lost. */
export default function SignInDialog({ description, onClose = () => {} }: SignInDialogProps) {
  const { user } = useSession()
  return (
    <Dialog open onClose={onClose} title={shell.signInAgain} description={description}>
      <SignInForm username={user?.attributes.username ?? ''} />
    </Dialog>
  )
}
