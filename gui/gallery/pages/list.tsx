import { Chip } from '../../components/chip/chip.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { FilterBar, ListFrame, NothingMatches } from '../../components/list/list-frame.tsx'
import { Specimen } from '../specimen.tsx'

export function ListPage() {
  return (
    <Specimen title="Filters that nothing matches" wide>
      <ListFrame
        filters={
          <FilterBar label="Filters">
            <SearchField label="Search" value="rollout" onChange={() => {}} />
            <Chip pressed onPress={() => {}}>
              Mine
            </Chip>
            <Chip pressed={false} onPress={() => {}} count={3}>
              running
            </Chip>
          </FilterBar>
        }
      >
        <NothingMatches title="No activity matches" clear="Clear the filters" onClear={() => {}} />
      </ListFrame>
    </Specimen>
  )
}
