import { Chip, Tag } from '../../components/chip/chip.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Specimen } from '../specimen.tsx'

const press = () => {}

export function ChipPage() {
  return (
    <>
      <Specimen title="Chips of a filter" row>
        <Chip pressed={false} onPress={press}>
          Mine
        </Chip>
        <Chip pressed onPress={press}>
          Active
        </Chip>
        <Chip pressed={false} onPress={press} count={12}>
          <StatusIcon status="error" size={14} labelled />
          error
        </Chip>
        <Chip pressed onPress={press} count={10_000}>
          <StatusIcon status="running" size={14} labelled />
          running
        </Chip>
        <Chip pressed={false} onPress={press} count={0}>
          rejected
        </Chip>
      </Specimen>
      <Specimen title="Tags" row>
        <Tag>Workflow run</Tag>
        <Tag>Scheduled</Tag>
        <Tag>CHG-2041</Tag>
        <span>
          rollout <Tag>v12</Tag>
        </span>
      </Specimen>
    </>
  )
}
