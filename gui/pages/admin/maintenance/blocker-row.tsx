import { Link } from '@tanstack/react-router'
import { NodePath } from '../../../components/node-path/node-path.tsx'
import { nodesInPath } from '../../../components/node-path/nodes-in-path.ts'
import { StatusIcon } from '../../../components/status/status.tsx'
import { Duration, Time } from '../../../components/time/time.tsx'
import { maintenance as texts } from '../../../messages/admin.ts'
import type { Blocker } from '../../../shell/maintenance.ts'
import styles from './maintenance.module.css'
import { waitText } from './waits-for.ts'

/** Item in progress: what it is, since when, by whom, what it waits for; a link to it. */
export function BlockerRow({ blocker }: { blocker: Blocker }) {
  const { type, id, name, path, since, created_by: user, waits_for: awaited, status_code: status } = blocker
  return (
    <li className={styles['blocker']}>
      <StatusIcon status={status} />
      <div className={styles['what']}>
        <span className={styles['name']}>
          {id === null ? <span>{texts.hidden}</span> : <BlockerLink blocker={blocker} />}
          <span className={styles['soft']}>{name !== null && texts.types[type]}</span>
        </span>
        {id !== null && <NodePath path={path} line />}
        {id !== null && (
          <span className={styles['soft']}>
            {waitText(awaited)}
            {awaited?.estimated_until && (
              <>
                {', '}
                <Time at={awaited.estimated_until} />
              </>
            )}
          </span>
        )}
      </div>
      <div className={styles['aside']}>
        <Duration from={since} />
        {user !== null && <span>{texts.by(user)}</span>}
      </div>
    </li>
  )
}

/** Link to an activity; a background task leads to its node. */
function BlockerLink({ blocker: { type, id, name, path } }: { blocker: Blocker }) {
  const text = name?.replaceAll('_', ' ') ?? texts.types[type]
  const splat = nodesInPath(path).at(-1)?.splat
  if (type !== 'node_background_task' && id !== null)
    return (
      <Link to="/activities/$id" params={{ id }} className={styles['link']}>
        {name ?? texts.types[type]}
      </Link>
    )
  return splat === undefined ? (
    <span>{text}</span>
  ) : (
    <Link to="/projects/$" params={{ _splat: splat }} className={styles['link']}>
      {text}
    </Link>
  )
}
