import { TextFilter, TimeFilter } from '../../components/filter/filter-fields.tsx'
import { Specimen } from '../specimen.tsx'

export function FilterPage() {
  return (
    <Specimen title="Texts and a time">
      <TextFilter label="User" value="ann" completions={['ann', 'bob']} onChange={() => {}} />
      <TextFilter label="Metadata" value={undefined} placeholder="ticket=CHG-2041" onChange={() => {}} />
      <TimeFilter label="From" value="2026-11-27T09:00:00Z" onChange={() => {}} />
    </Specimen>
  )
}
