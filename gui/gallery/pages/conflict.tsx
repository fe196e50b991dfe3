import { Conflict } from '../../components/conflict/conflict.tsx'
import { Specimen } from '../specimen.tsx'

const labels = { name: 'Name', description: 'Description' }

export function ConflictPage() {
  return (
    <>
      <Specimen title="The same fields were changed">
        <Conflict theirs={{ name: 'Live site', description: '' }} labels={labels} onTakeTheirs={() => {}} />
      </Specimen>
      <Specimen title="Other fields were changed">
        <Conflict theirs={{}} labels={labels} onTakeTheirs={() => {}} />
      </Specimen>
    </>
  )
}
