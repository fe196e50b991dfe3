import { Tag } from '../../components/chip/chip.tsx'
import { type Fact, Facts } from '../../components/facts/facts.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { StatusBadge } from '../../components/status/status.tsx'
import { Specimen } from '../specimen.tsx'

const facts: readonly Fact[] = [
  ['Status', <StatusBadge key="status" status="success" />],
  ['Target', <NodePath key="path" path="/projects/bank/environments/live/assets/front" links />],
  ['Commit', <code key="commit">b4a9831f0c2d4be7a1f2d3c4b5a69788f0e1d2c3</code>],
  ['Created by', 'ann'],
  ['Version of the template', <Tag key="version">12</Tag>],
  ['Reason', 'Roll out release 12 after the freeze, as agreed with the release managers in CHG-2041'],
  ['Left out', ''],
]

export function FactsPage() {
  return (
    <Specimen title="Wide" wide>
      <Facts facts={facts} />
    </Specimen>
  )
}
