import { useEffect } from 'react'
import { Refused } from '#client/sluice.ts'
import { useToast } from '../../components/toast/toast.tsx'
import { Specimen } from '../specimen.tsx'

const refused = new Refused('POST', '/api/changes', 409, [
  {
    code: 'conflict',
    detail:
      'The asset /projects/bank/environments/production-frankfurt/assets/payment-gateway-frontend is archived. Restore it first.',
  },
])

export function ToastPage() {
  const toast = useToast()
  useEffect(() => {
    toast.done('Approved “Go live”')
    toast.failed(refused)
  }, [toast])
  return <Specimen title="Done, and failed with the reason">Messages stand in the lower corner.</Specimen>
}
