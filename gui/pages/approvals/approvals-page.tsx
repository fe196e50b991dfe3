import { useSearch } from '@tanstack/react-router'
import { useList } from '../../api/queries.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { DecisionScope } from '../../components/decision/decision-scope.tsx'
import { withoutColumns } from '../../components/list/list-parameters.ts'
import { Page } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { useLiveActivities } from '../../live/live-activities.ts'
import { approvals as texts } from '../../messages/approvals.ts'
import styles from './approvals-page.module.css'
import { Decided } from './decided.tsx'
import { WaitingCard } from './waiting-card.tsx'

/** Inbox of decisions: what waits for the user, what waits for anybody, and what the user has decided. */
export function ApprovalsPage() {
  const { view = 'mine' } = useSearch({ from: '/approvals' })
  useLiveActivities()
  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      commands={[
        listCommand('waiting_steps', { [`filter[${view === 'all' ? 'waiting_for_user' : 'waiting_for_me'}]`]: true }),
      ]}
    >
      <Tabs
        label={texts.viewsLabel}
        parameter="view"
        current={view}
        keep={withoutColumns}
        tabs={[
          ['mine', texts.views.mine],
          ['all', texts.views.all],
          ['decided', texts.views.decided],
        ]}
      />
      {view === 'decided' ? (
        <Decided />
      ) : (
        <DecisionScope>
          <Waiting filter={view === 'mine' ? 'waiting_for_me' : 'waiting_for_user'} />
        </DecisionScope>
      )}
    </Page>
  )
}

function Waiting({ filter }: { filter: 'waiting_for_me' | 'waiting_for_user' }) {
  const { records, query } = useList<'waiting_step'>('/api/waiting_steps', { [`filter[${filter}]`]: true, limit: 100 })
  return (
    <ListStates
      query={query}
      count={records.length}
      empty={
        filter === 'waiting_for_me' ? (
          <EmptyState title={texts.nothing} command={texts.nothingCommand}>
            {texts.nothingDetail}
          </EmptyState>
        ) : (
          <EmptyState title={texts.nothingAtAll} />
        )
      }
    >
      <ul className={styles['cards']}>
        {records.map(step => (
          <WaitingCard key={step.id} step={step} />
        ))}
      </ul>
    </ListStates>
  )
}
