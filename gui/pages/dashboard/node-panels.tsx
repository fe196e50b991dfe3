import { Link } from '@tanstack/react-router'
import type { NodeSummary } from '../../api/records.ts'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { nodeCode } from '../../components/node-path/nodes-in-path.ts'
import { Star } from '../../components/star/star.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Time } from '../../components/time/time.tsx'
import { stars as texts } from '../../messages/stars.ts'
import { useNodeSummaries } from '../../preferences/node-summaries.ts'
import { usePreferences } from '../../preferences/preferences.ts'
import { starredIn } from '../../preferences/starred-nodes.ts'
import { useRecentNodes } from '../../preferences/use-recent-nodes.ts'
import { splatOf } from '../projects/node.ts'
import { nodeStatus } from '../projects/node-tree.ts'
import { NodeTypeIcon } from '../projects/node-type-icon.tsx'
import styles from './dashboard-page.module.css'
import { ListPanel } from './list-panel.tsx'

/** Number of recent nodes that the dashboard shows. */
const recentRows = 6

/** Starred nodes with what happens on them. One that cannot be read any more says so and can lose its star. */
export function StarredNodes() {
  const preferences = usePreferences()
  const paths = preferences && starredIn(preferences)
  const nodes = useNodeSummaries(paths)
  return (
    <ListPanel title={texts.starred} count={paths?.length ?? 0} none={texts.starredNone}>
      {(nodes && paths ? paths : []).map(path => {
        const node = nodes?.get(path)
        return node ? <NodeRow key={path} node={node} hasStar /> : <MissingRow key={path} path={path} />
      })}
    </ListPanel>
  )
}

/** Nodes that the user looked at last and may still read. */
export function RecentNodes() {
  const paths = useRecentNodes()
  const nodes = useNodeSummaries(paths)
  const known = (paths ?? []).flatMap(path => nodes?.get(path) ?? []).slice(0, recentRows)
  return (
    <ListPanel title={texts.recent} none={texts.recentNone}>
      {known.map(node => (
        <NodeRow key={node.path} node={node} />
      ))}
    </ListPanel>
  )
}

function NodeRow({ node, hasStar = false }: { node: NodeSummary; hasStar?: boolean }) {
  const status = nodeStatus(node)
  return (
    <li className={styles['row']}>
      <NodeTypeIcon type={node.node_type} />
      <div className={styles['what']}>
        <Link to="/projects/$" params={{ _splat: splatOf(node.path) }} className={styles['link']}>
          {node.name}
        </Link>
        <NodePath path={node.path} line />
      </div>
      <div className={styles['end']}>
        {status !== undefined && (
          <span className={styles['state']}>
            {node.active_count > 0 ? texts.active(node.active_count) : <Time at={node.last_finished_at} />}
            <StatusIcon status={status} />
          </span>
        )}
        {hasStar && <Star path={node.path} name={node.name} />}
      </div>
    </li>
  )
}

function MissingRow({ path }: { path: string }) {
  return (
    <li className={styles['row']}>
      <span />
      <div className={styles['what']}>
        <NodePath path={path} line />
        <span className={styles['soft']}>{texts.missing}</span>
      </div>
      <div className={styles['end']}>
        <Star path={path} name={nodeCode(path)} />
      </div>
    </li>
  )
}
