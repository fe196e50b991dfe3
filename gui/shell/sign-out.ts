import { useSession } from '../api/session.tsx'
import { useToast } from '../components/toast/toast.tsx'
import { useSaveVisits } from '../preferences/use-recent-nodes.ts'

/** Function that signs out, after the nodes that were looked at last have been saved. */
export function useSignOut(): () => void {
  const { signOut } = useSession()
  const { save } = useSaveVisits()
  const toast = useToast()
  // Visits that cannot be saved stay in this browser; they keep nobody signed in.
  return () => void save().then(signOut, signOut).catch(toast.failed)
}
