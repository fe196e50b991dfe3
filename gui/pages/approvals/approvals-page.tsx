import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useList } from '../../api/queries.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { DecisionScope } from '../../components/decision/decision-scope.tsx'
import { withoutColumns } from '../../components/list/list-parameters.ts'
import { Page } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { useKeys } from '../../keyboard/shortcuts.ts'
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
  const cards = useRef<HTMLUListElement>(null)
  useKeys('approvals', {
    next: () => focusCard(cards.current, 1),
    previous: () => focusCard(cards.current, -1),
    approve: () => press(cards.current, '[data-decision="approve"], [data-decision="continue"]'),
    reject: () => press(cards.current, '[data-decision="reject"]'),
  })
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
      <ul ref={cards} className={styles['cards']} data-keys="approvals">
        {records.map(step => (
          <WaitingCard key={step.id} step={step} />
        ))}
      </ul>
    </ListStates>
  )
}

const cardsOf = (list: HTMLElement | null): Element[] => [...(list?.children ?? [])]
const isFocused = (card: Element): boolean => card.contains(document.activeElement)

/** Moves the focus to the card after or before the one that has it; to the first if none has. */
function focusCard(list: HTMLElement | null, step: 1 | -1): void {
  const cards = cardsOf(list)
  const index = cards.findIndex(isFocused)
  cards[index < 0 ? 0 : index + step]?.querySelector('a')?.focus()
}

/** Presses a button of the card that has the focus, so that no decision is about a card that nobody looks at. */
const press = (list: HTMLElement | null, button: string): void =>
  cardsOf(list).find(isFocused)?.querySelector<HTMLElement>(button)?.click()
