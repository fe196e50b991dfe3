import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Refused } from '#client/sluice.ts'
import { anyVersion, write } from '../../../api/client.ts'
import { Confirm } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { NodePath } from '../../../components/node-path/node-path.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import { type NodeRecord, splatOf } from '../node.ts'
import styles from './dialogs.module.css'
import { refreshNode } from './refresh-node.ts'

interface ArchiveDialogProps {
  readonly node: NodeRecord
  readonly path: string
  readonly onClose: () => void
}

/** Dialog that archives a node; a refusal names what uses it. */
export function ArchiveDialog({ node, path, onClose }: ArchiveDialogProps) {
  const { name } = node.attributes
  const cache = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => write('PATCH', `/api${path}`, { attributes: { archived: true } }, anyVersion),
    onSuccess: async () => {
      await refreshNode(cache, path)
      toast.done(texts.archived(name))
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.archiveTitle(name)}
      description={texts.archiveDetail}
      action={texts.archiveAction}
      busy={isPending}
      onConfirm={() => mutate()}
    >
      <FormError text={error ? faultText(error) : undefined} />
      <Blockers error={error} onFollow={onClose} />
    </Confirm>
  )
}

interface Blocker {
  readonly type?: string
  readonly path: string | null
}

/** Records that keep the node from being archived, as the refusal lists them. */
function Blockers({ error, onFollow }: { error: unknown; onFollow: () => void }) {
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

/** Path of a blocker; that of a node leads to it. */
function BlockerPath({ path, onFollow }: { path: string | null; onFollow: () => void }) {
  if (path === null || path === 'hidden') return <span>{texts.hidden}</span>
  if (!/^\/projects(\/[^/]+)?(\/(environments|assets|agents)\/[^/]+)*$/.test(path)) return <code>{path}</code>
  return (
    <Link to="/projects/$" params={{ _splat: splatOf(path) }} onClick={onFollow}>
      <NodePath path={path} />
    </Link>
  )
}
