import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../api/queries.ts'
import type { GitRemote, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Panel } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { nodeDialogs } from '../../messages/projects.ts'
import { remotes as texts } from '../../messages/remotes.ts'
import { isPermitted } from '../projects/node.ts'
import type { NodeTabProps } from '../projects/node-tab.ts'
import { RemoteDialog } from './remote-dialog.tsx'
import { RemoteRow } from './remote-row.tsx'
import styles from './remotes.module.css'

/** Milliseconds between reads: the result of a fetch is told by no stream. */
const every = 5_000

/** Git remotes of a project: what each is fetched from, how its last fetch ended, and what comes from it. */
export default function RemotesTab({ node, path }: NodeTabProps) {
  const { remote: shown } = useSearch({ from: '/projects/$' })
  const list = `/api${path}/git_remotes`
  const { records, included, query } = useList<'git_remote'>(
    list,
    { limit: 1_000, include: 'templates', 'filter[sorts]': 'name' },
    { every },
  )
  const [open, setOpen] = useState<Resource<GitRemote> | 'new'>()
  const isArchived = node.attributes.archived
  const create = (
    <Button
      size="small"
      disabledReason={
        isArchived ? nodeDialogs.isArchived : isPermitted(node, 'git_remotes', 'update') ? undefined : texts.needsCreate
      }
      onClick={() => setOpen('new')}
    >
      <Plus size={14} aria-hidden />
      {texts.create}
    </Button>
  )
  const isMissing =
    shown !== undefined && query.isSuccess && !records.some(({ attributes }) => attributes.name === shown)
  return (
    <>
      {isMissing && <p className={styles['missing']}>{texts.noSuch(shown)}</p>}
      <ListStates
        query={query}
        count={records.length}
        skeleton={4}
        empty={
          isPermitted(node, 'git_remotes', 'read') ? (
            <EmptyState title={texts.none} command={texts.noneCommand(path)}>
              <p>{texts.noneDetail}</p>
              {create}
            </EmptyState>
          ) : (
            <EmptyState title={texts.noneReadable}>{texts.noneReadableDetail}</EmptyState>
          )
        }
      >
        <Panel title={texts.title} flush actions={create}>
          <ul>
            {records.map(remote => (
              <RemoteRow
                key={remote.id}
                remote={remote}
                list={list}
                included={included}
                isShown={remote.attributes.name === shown}
                whyNot={isArchived ? nodeDialogs.isArchived : undefined}
                onEdit={() => setOpen(remote)}
              />
            ))}
          </ul>
        </Panel>
      </ListStates>
      {open !== undefined && (
        <RemoteDialog list={list} remote={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}
