import { useSession } from '../api/session.tsx'
import { Dialog } from '../components/dialog/dialog.tsx'
import { shell } from '../messages/shell.ts'
import { SignInForm } from './sign-in.tsx'

/** Dialog over the page once the session has ended, so that what was typed on it is not lost. */
export default function SessionEndedDialog() {
  const { user } = useSession()
  return (
    <Dialog open onClose={() => {}} title={shell.signInAgain} description={shell.sessionEnded}>
      <SignInForm username={user?.attributes.username ?? ''} />
    </Dialog>
  )
}
