import { StatusBadge, StatusIcon } from '../../components/status/status.tsx'
import { statusWords } from '../../messages/general.ts'
import { Specimen } from '../specimen.tsx'

const statuses = Object.keys(statusWords)

export function StatusPage() {
  return (
    <>
      <Specimen title="Badges" row>
        {statuses.map(status => (
          <StatusBadge key={status} status={status} />
        ))}
      </Specimen>
      <Specimen title="Icons" row>
        {statuses.map(status => (
          <StatusIcon key={status} status={status} />
        ))}
        {statuses.map(status => (
          <StatusIcon key={status} status={status} size={24} />
        ))}
      </Specimen>
    </>
  )
}
