import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Activity, Box, CalendarClock, CircleUser, GitBranch, Layers, type LucideIcon, Workflow } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { sluice } from '../api/client.ts'
import { useMe } from '../api/session.tsx'
import { Dialog } from '../components/dialog/dialog.tsx'
import { SearchField } from '../components/field/field.tsx'
import { nodeCode } from '../components/node-path/nodes-in-path.ts'
import { faultText } from '../components/state/state.tsx'
import { statusWord } from '../components/status/status.tsx'
import { shell } from '../messages/shell.ts'
import { navigation } from './navigation.ts'
import styles from './palette.module.css'
import { mayOpen } from './rights.ts'
import { addressOf, resultLimit, type SearchResult } from './search-results.ts'

interface Entry {
  readonly to: string
  readonly text: string
  readonly icon: LucideIcon
  /** Where it is, or its shortcut. */
  readonly detail?: string
}

/** Palette to jump to a page by its name, or to any record by a text in its name, path, id or metadata. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const me = useMe()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const wanted = text.trim()
  const { records, error } = useSearchResults(wanted)
  const pages = navigation
    .filter(each => mayOpen(me, each) && each.text.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ to, text: name, icon, key }): Entry => ({ to, text: name, icon, ...(key && { detail: `g ${key}` }) }))
  const entries = [...pages, ...records]

  const open = (index: number) => {
    const entry = entries[index]
    if (!entry) return
    onClose()
    router.history.push(entry.to)
  }
  const choose = (index: number) => {
    setChosen(index)
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(chosen)
    else if (event.key === 'ArrowDown') choose(Math.min(entries.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') choose(Math.max(0, chosen - 1))
    else return
    event.preventDefault()
  }
  return (
    <Dialog open onClose={onClose} title={shell.search}>
      <SearchField
        label={shell.search}
        value={text}
        onChange={value => {
          setText(value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={entries[chosen] && `${id}-${chosen}`}
        autoFocus
      />
      <div id={id} className={styles['list']} role="listbox" aria-label={shell.search}>
        {entries.map(({ to, text: name, icon: Icon, detail }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field opens the chosen one.
          <div
            key={to}
            id={`${id}-${i}`}
            className={styles['item']}
            role="option"
            aria-selected={i === chosen}
            onClick={() => open(i)}
          >
            <Icon size={16} aria-hidden />
            <span className={styles['name']}>{name}</span>
            {detail && <small>{detail}</small>}
          </div>
        ))}
      </div>
      <p className={styles['note']} role="status">
        {error ? faultText(error) : entries.length === 0 ? shell.nothingFound : ''}
      </p>
    </Dialog>
  )
}

function useSearchResults(text: string): { records: readonly Entry[]; error: unknown } {
  const query = useDeferredValue(text)
  const { data, error } = useQuery({
    queryKey: ['search', query],
    queryFn: () => sluice().document<{ data: SearchResult[] }>('/api/search', { query, limit: resultLimit }),
    enabled: query.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const results = query.length > 1 ? (data?.data ?? []) : []
  return { records: results.flatMap(each => entryOf(each) ?? []), error }
}

const icons: Readonly<Record<string, LucideIcon>> = {
  project: Layers,
  environment: Layers,
  asset: Box,
  agent: Box,
  workflow: Workflow,
  template: GitBranch,
  user: CircleUser,
  scheduled_change: CalendarClock,
  scheduled_workflow: CalendarClock,
}

function entryOf(result: SearchResult): Entry | undefined {
  const to = addressOf(result)
  if (to === undefined) return undefined
  const { name, status_code: status } = result.attributes
  const { path } = result.meta
  return {
    to,
    text: name || (path ? nodeCode(path) : result.id),
    icon: icons[result.type] ?? Activity,
    detail: [status && statusWord(status), path].filter(Boolean).join(' · '),
  }
}
