import { Link } from '@tanstack/react-router'
import { Refused } from '#client/sluice.ts'
import { NodePath } from '../../../components/node-path/node-path.tsx'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import { splatOf } from '../node.ts'
import styles from './dialogs.module.css'

interface Blocker {
  readonly type?: string
  readonly path: string | null
}

/** Whether a refusal says that something is in use. */
export const isInUse = (error: unknown): error is Refused =>
  error instanceof Refused && error.faults.some(({ code }) => code === 'in-use')

/** Records that use what would be archived or moved, as the refusal of it lists them; nothing for other errors. */
export function Blockers({ error, onFollow }: { error: unknown; onFollow: () => void }) {
  const meta = error instanceof Refused ? error.faults[0]?.meta : undefined
  const blockers = (meta?.['in_use'] ?? []) as readonly Blocker[]
  if (blockers.length === 0) return null
  return (
    <div className={styles['list']}>
      <p>{texts.inUse}</p>
      <ul className={styles['list']}>
        {blockers.map(({ type, path }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hidden ones have no identity.
          <li key={i}>
            {type} <BlockerPath path={path} onFollow={onFollow} />
          </li>
        ))}
        {meta?.['in_use_more'] === true && <li>{texts.inUseMore}</li>}
      </ul>
    </div>
  )
}

/** Path of a blocker; that of a node or a template leads to it. */
function BlockerPath({ path, onFollow }: { path: string | null; onFollow: () => void }) {
  if (path === null || path === 'hidden') return <span>{texts.hidden}</span>
  const template = /^\/projects\/([^/]+)\/templates\/([^/]+)$/.exec(path)
  if (template)
    return (
      <Link
        to="/templates/$project/$code"
        params={{ project: template[1]!, code: template[2]! }}
        search={{}}
        onClick={onFollow}
      >
        {template[1]} / {template[2]}
      </Link>
    )
  if (!/^\/projects(\/[^/]+)?(\/(environments|assets|agents)\/[^/]+)*$/.test(path)) return <code>{path}</code>
  return (
    <Link to="/projects/$" params={{ _splat: splatOf(path) }} onClick={onFollow}>
      <NodePath path={path} />
    </Link>
  )
}
