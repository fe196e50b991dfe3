import { Link, useSearch } from '@tanstack/react-router'
import { Panel } from '../../../components/page/page.tsx'
import { StatusIcon } from '../../../components/status/status.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import { parentPathOf, splatOf } from '../node.ts'
import { nodeStatus } from '../node-tree.ts'
import { NodeTypeIcon } from '../node-type-icon.tsx'
import { useTree } from '../nodes.ts'
import { keptSearch } from '../search.ts'
import styles from './tabs.module.css'

/** Nodes that the panel lists; the tree has all. */
const most = 12

/** Nodes directly below a node with their status. */
export function ChildrenPanel({ path }: { path: string }) {
  const { nodes } = useTree()
  const search = useSearch({ strict: false })
  const children = nodes.records.filter(({ attributes }) => parentPathOf(attributes.path) === path)
  if (children.length === 0) return null
  return (
    <Panel title={texts.contents} flush>
      <ul className={styles['rows']}>
        {children.slice(0, most).map(({ id, attributes: node }) => {
          const status = nodeStatus(node)
          return (
            <li key={id}>
              <NodeTypeIcon type={node.node_type} />
              <div className={styles['main']}>
                <Link
                  to="/projects/$"
                  params={{ _splat: splatOf(node.path) }}
                  search={keptSearch(search)}
                  className={styles['name']}
                >
                  {node.name}
                </Link>
              </div>
              <span className={styles['soft']}>{node.template_version}</span>
              {status !== undefined && <StatusIcon status={status} />}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
