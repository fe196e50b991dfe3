import { Tag } from '../../components/chip/chip.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { Specimen } from '../specimen.tsx'

const names = ['overview', 'activities', 'properties', 'settings', 'actions', 'schedules', 'versions', 'bookmarks']

export function TabsPage() {
  return (
    <>
      <Specimen title="Few">
        <Tabs
          label="Views"
          current="timeline"
          tabs={[
            ['log', 'Log'],
            ['timeline', 'Timeline'],
            [
              'events',
              <>
                Events <Tag>12</Tag>
              </>,
            ],
          ]}
        />
      </Specimen>
      <Specimen title="More than fit into a narrow window" wide>
        <Tabs
          label="Tabs of the node"
          parameter="part"
          current="schedules"
          tabs={names.map(name => [name, `${name[0]!.toUpperCase()}${name.slice(1)}`])}
        />
      </Specimen>
    </>
  )
}
