import { Link, useSearch } from '@tanstack/react-router'
import { Cog } from 'lucide-react'
import { Tag } from '../../components/chip/chip.tsx'
import { RowStar } from '../../components/star/star.tsx'
import { StatusIcon, statusWord } from '../../components/status/status.tsx'
import type { TreeRow } from '../../components/tree/tree-rows.ts'
import { projects as texts } from '../../messages/projects.ts'
import { splatOf } from './node.ts'
import { nodeStatus, type TreeNode } from './node-tree.ts'
import { NodeTypeIcon } from './node-type-icon.tsx'
import styles from './projects-page.module.css'
import { keptSearch } from './search.ts'

interface TreeRowContentProps {
  readonly row: TreeRow<TreeNode>
  readonly isStarred: boolean
  readonly onStar: (isStarred: boolean) => void
}

/** Row of a node: its code, the version of its template, and what happens on it. */
export function TreeRowContent({ row: { item, isExpanded }, isStarred, onStar }: TreeRowContentProps) {
  const { node, label } = item
  const search = useSearch({ strict: false })
  return (
    <>
      <Link
        to="/projects/$"
        params={{ _splat: splatOf(node.path) }}
        search={keptSearch(search)}
        className={`${styles['label']} ${node.archived ? styles['isArchived'] : ''}`}
        tabIndex={-1}
        title={`${node.name} · ${node.path}`}
      >
        <NodeTypeIcon type={node.node_type} />
        <span className={styles['code']}>{label}</span>
        {node.archived && <Tag>{texts.archived}</Tag>}
      </Link>
      <RowStar name={node.name} isStarred={isStarred} onStar={onStar} />
      {node.template_version !== null && <span className={styles['version']}>{node.template_version}</span>}
      <Marks item={item} isCollapsed={isExpanded === false} />
    </>
  )
}

/** What happens on a node; a collapsed one shows how much happens below it as well. */
function Marks({ item: { node, active, waiting, tasks }, isCollapsed }: { item: TreeNode; isCollapsed: boolean }) {
  if (!isCollapsed) {
    const status = nodeStatus(node)
    return (
      <span className={styles['marks']}>
        {node.task_active && <TaskMark text={texts.taskActive} />}
        {status !== undefined && (
          <span title={node.active_count > 0 ? statusWord(status) : texts.lastRun(statusWord(status))}>
            <StatusIcon status={status} size={15} />
          </span>
        )}
      </span>
    )
  }
  const running = active - waiting
  return (
    <span className={styles['marks']}>
      {tasks > 0 && <TaskMark text={node.task_active && tasks === 1 ? texts.taskActive : texts.tasksActive(tasks)} />}
      {waiting > 0 && <Mark status="waiting" count={waiting} text={texts.waiting(waiting)} />}
      {running > 0 && <Mark status="running" count={running} text={texts.running(running)} />}
    </span>
  )
}

const TaskMark = ({ text }: { text: string }) => (
  <span className={styles['mark']} title={text}>
    <Cog size={15} role="img" aria-label={text} />
  </span>
)

const Mark = ({ status, count, text }: { status: string; count: number; text: string }) => (
  <span className={styles['mark']} title={text}>
    <StatusIcon status={status} size={15} labelled />
    <span aria-hidden>{count}</span>
    <span className="visually-hidden">{text}</span>
  </span>
)
