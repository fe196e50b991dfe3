import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowUp, Download } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useList } from '../../api/queries.ts'
import { Button, buttonClass } from '../../components/button/button.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import { ListControls } from '../../components/list/list-controls.tsx'
import { ListFrame, NothingMatches } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { audit as texts } from '../../messages/audit.ts'
import { AuditFilters } from './audit-filters.tsx'
import styles from './audit-page.module.css'
import { ChainState } from './chain-state.tsx'
import { eventColumns } from './event-columns.tsx'
import { EventSheet } from './event-sheet.tsx'
import { filterWords } from './filter-words.ts'
import { useLiveEvents } from './live-events.ts'
import { mergeLive } from './merge-live.ts'
import { type AuditChanges, auditQuery, auditState, countFilters, csvAddress, readAuditSearch } from './search.ts'

/** History of events; filters stand in the address, new events appear on top as they are sealed. */
export function AuditPage() {
  const search = useSearch({ from: '/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const { records, query } = useList<'event'>('/api/events', auditQuery(search))
  const { live, setAtTop } = useLiveEvents(search, () => void query.refetch())
  const { rows, heldCount } = mergeLive(records, live)
  const [toTop, setToTop] = useState(0)
  const columns = useColumns('events', eventColumns)
  const clear = () => void navigate({ search: { ...readAuditSearch({ columns: search.columns }) }, replace: true })
  const change = (more: AuditChanges) =>
    void navigate({ search: { ...readAuditSearch({ ...search, ...more }) }, replace: true })
  const closeSheet = useCallback(
    () => void navigate({ search: ({ event: _, ...filters }) => filters, replace: true }),
    [navigate],
  )

  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <ListControls
            list="events"
            columns={columns}
            state={auditState(search)}
            read={state => auditState(readAuditSearch(state))}
            saved={search.saved}
            onOpen={(state, saved) => void navigate({ search: { ...readAuditSearch({ ...state, saved }) } })}
          />
          <ChainState />
          <a className={buttonClass({})} href={csvAddress(search, new Date().toISOString().slice(0, 10))} download>
            <Download size={16} aria-hidden />
            {texts.download}
          </a>
        </>
      }
      commands={[listCommand('events', auditQuery(search))]}
      fill
    >
      <ListFrame
        filters={<AuditFilters search={search} events={rows} onChange={change} />}
        row={
          <FilterRow
            list={{ records: rows, query }}
            path="/api/events"
            query={auditQuery(search)}
            noun={texts.noun}
            search={search}
            words={filterWords}
            onChange={change}
            onClear={clear}
          />
        }
      >
        <div className={styles['list']}>
          <ListTable
            list={{ records: rows, query }}
            label={texts.tableLabel}
            columns={columns}
            narrowLines={2}
            onTop={setAtTop}
            toTop={toTop}
            skeleton={10}
            empty={
              countFilters(search) > 0 ? (
                <NothingMatches title={texts.nothingMatches} clear={texts.clear} onClear={clear} />
              ) : (
                <EmptyState title={texts.emptyTitle} command={texts.emptyCommand}>
                  {texts.emptyDetail}
                </EmptyState>
              )
            }
          />
          {heldCount > 0 && (
            <div className={styles['news']} role="status">
              <Button variant="primary" size="small" onClick={() => setToTop(toTop + 1)}>
                <ArrowUp size={14} aria-hidden />
                {texts.newEvents(heldCount)}
              </Button>
            </div>
          )}
        </div>
      </ListFrame>
      {search.event !== undefined && <EventSheet id={search.event} onClose={closeSheet} />}
    </Page>
  )
}
