import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { Button, buttonClass } from '../../../components/button/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import { RefreshActions } from '../../background-tasks/refresh-actions.tsx'
import { TaskPanel } from '../../background-tasks/task-panel.tsx'
import { useTasks } from '../../background-tasks/use-tasks.ts'
import { actionsOf, type OfferedAction, stepCount } from '../action.ts'
import { type NodeRecord, nodeType } from '../node.ts'
import type { NodeTabProps } from '../node-tab.ts'
import { whyNotRun } from '../why-not.ts'
import styles from './tabs.module.css'

/** Actions that can be run on a node. */
export default function ActionsTab({ node, path }: NodeTabProps) {
  if (nodeType(node) !== 'asset')
    return (
      <EmptyState title={texts.foreignActions} command={texts.foreignCommand(path)}>
        {texts.foreignActionsDetail}
      </EmptyState>
    )
  return <AssetActions node={node} path={path} />
}

/** Actions of an asset, and the background tasks that read them. */
function AssetActions({ node, path }: NodeTabProps) {
  const actions = actionsOf(node)
  const tasks = useTasks(path)
  const refresh = <RefreshActions node={node} path={path} isOpen={tasks.isOpen} />
  return (
    <div className={styles['stack']}>
      <Panel title={texts.actions} flush actions={refresh}>
        {actions.length === 0 ? (
          <EmptyState title={texts.noActions}>{texts.noActionsDetail}</EmptyState>
        ) : (
          <ActionList node={node} actions={actions} />
        )}
      </Panel>
      <TaskPanel node={node} path={path} tasks={tasks} />
    </div>
  )
}

/** Actions with what they do, each with its button. */
export const ActionList = ({ node, actions }: { node: NodeRecord; actions: readonly OfferedAction[] }) => (
  <ul className={styles['rows']}>
    {actions.map(action => (
      <li key={action.action}>
        <div className={styles['main']}>
          <span className={styles['name']}>{action.action}</span>
          <span className={styles['line']}>
            <span>{action.description}</span>
            {stepCount(action) > 1 && <span>{texts.steps(stepCount(action))}</span>}
          </span>
        </div>
        <RunLink node={node} action={action.action} />
      </li>
    ))}
  </ul>
)

/** Link that opens the run dialog for an action; a button that says why if nothing can be run. */
function RunLink({ node, action }: { node: NodeRecord; action: string }) {
  const reason = whyNotRun(node)
  const content = (
    <>
      <Play size={13} aria-hidden />
      {texts.runDots}
    </>
  )
  if (reason !== undefined)
    return (
      <Button size="small" aria-label={texts.runDotsOf(action)} disabledReason={reason}>
        {content}
      </Button>
    )
  return (
    <Link
      to="."
      search={(before: Record<string, unknown>) => ({ ...before, run: action })}
      className={buttonClass({ size: 'small' })}
      aria-label={texts.runDotsOf(action)}
    >
      {content}
    </Link>
  )
}
