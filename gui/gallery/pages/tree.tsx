import { Tag } from '../../components/chip/chip.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Tree } from '../../components/tree/tree.tsx'
import { type Branch, treeRows } from '../../components/tree/tree-rows.ts'
import styles from '../gallery.module.css'
import { Specimen } from '../specimen.tsx'

const leaf = (id: string, status: string): Branch<string> => ({ id, item: status, children: [] })

const steps: readonly Branch<string>[] = [
  {
    id: 'rollout',
    item: 'running',
    children: [
      leaf('check', 'success'),
      {
        id: 'Prepare',
        item: 'success',
        children: [leaf('back-up', 'success'), leaf('fetch', 'skipped'), leaf('warm-up', 'error')],
      },
      { id: 'Go live', item: 'waiting_for_approval', children: [leaf('restart', 'pending')] },
      leaf('verify the checksums of every package that this release installs on all of its machines', 'pending'),
    ],
  },
]

export function TreePage() {
  return (
    <Specimen title="Open and closed branches, a chosen row">
      <div className={`${styles['tall']} ${styles['framed']}`}>
        <Tree
          label="Steps"
          rows={treeRows(steps, ({ id }) => id !== 'Go live')}
          current="fetch"
          onSelect={() => {}}
          onToggle={() => {}}
        >
          {({ id, item }) => (
            <>
              <StatusIcon status={item} />
              <span>{id}</span>
              {id === 'Prepare' && <Tag>3 parallel</Tag>}
            </>
          )}
        </Tree>
      </div>
    </Specimen>
  )
}
