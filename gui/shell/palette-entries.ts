import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  Activity,
  Bot,
  Box,
  CalendarClock,
  CircleUser,
  Folder,
  GitBranch,
  Keyboard,
  Layers,
  type LucideIcon,
  Workflow,
} from 'lucide-react'
import { useDeferredValue } from 'react'
import { sluice } from '../api/client.ts'
import { useMe } from '../api/session.tsx'
import { nodeCode } from '../components/node-path/nodes-in-path.ts'
import { statusWord } from '../components/status/status.tsx'
import { keys } from '../keyboard/keys.ts'
import { shell } from '../messages/shell.ts'
import { stars as texts } from '../messages/stars.ts'
import { useNodeSummaries } from '../preferences/node-summaries.ts'
import { usePreferences } from '../preferences/preferences.ts'
import { starredIn } from '../preferences/starred-nodes.ts'
import { useRecentNodes } from '../preferences/use-recent-nodes.ts'
import { navigation, otherPages } from './navigation.ts'
import { distinct, type Entry, type Section } from './palette-sections.ts'
import { mayOpen } from './rights.ts'
import { addressOf, resultLimit, type SearchResult } from './search-results.ts'

/** Starred nodes that the palette shows before anything is typed. */
const mostStarred = 8

/**
 * What the palette offers, in sections: starred nodes first, recent nodes as long as nothing is typed, pages, and records
 * that the service finds. Nothing is listed twice.
 */
export function usePaletteSections(text: string, onKeys: () => void): { sections: readonly Section[]; error: unknown } {
  const me = useMe()
  const { records, error } = useSearchResults(text)
  const { starred, recent } = useOwnNodes()
  const isEmpty = text === ''
  const pages = [...navigation, ...otherPages]
    .filter(each => mayOpen(me, each) && each.text.toLowerCase().includes(text.toLowerCase()))
    .map(({ to, text: name, icon, key }): Entry => ({ to, text: name, icon, ...(key && { detail: `g ${key}` }) }))
  const help: Entry = { to: 'keys', act: onKeys, text: shell.keys, icon: Keyboard, detail: keys.everywhere.keys[0] }
  return {
    error,
    sections: distinct([
      { title: texts.starred, entries: isEmpty ? starred.slice(0, mostStarred) : matching(starred, text) },
      { title: texts.recent, entries: isEmpty ? recent : [] },
      { title: texts.pages, entries: pages },
      { title: texts.help, entries: help.text.toLowerCase().includes(text.toLowerCase()) ? [help] : [] },
      { title: texts.results, entries: records },
    ]),
  }
}

/** Nodes on which something can be run: starred and recent ones first, then those that the service finds. */
export function useNodeSections(text: string): { sections: readonly Section[]; error: unknown } {
  const { records, error } = useSearchResults(text, 'node')
  const { starred, recent } = useOwnNodes()
  const isEmpty = text === ''
  const sections = distinct([
    { title: texts.starred, entries: isEmpty ? starred.slice(0, mostStarred) : matching(starred, text) },
    { title: texts.recent, entries: isEmpty ? recent : matching(recent, text) },
    { title: texts.results, entries: records },
  ])
  const runs = ({ to }: Entry) => typeIn(to) !== 'agent'
  return {
    error,
    sections: sections.map(each => ({ ...each, entries: each.entries.filter(runs) })).filter(hasEntries),
  }
}

const hasEntries = ({ entries }: Section): boolean => entries.length > 0

/** Entries whose name or address has every word of a text. */
function matching(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/)
  return entries.filter(each => {
    const whole = `${each.text}\n${each.to}`.toLowerCase()
    return words.every(word => whole.includes(word))
  })
}

/** Starred and recent nodes, by their codes until the service has said which of them the user may read. */
function useOwnNodes(): { starred: readonly Entry[]; recent: readonly Entry[] } {
  const preferences = usePreferences()
  const starred = preferences ? starredIn(preferences) : []
  const recent = useRecentNodes() ?? []
  const nodes = useNodeSummaries(preferences && [...new Set([...starred, ...recent])].toSorted())
  const entriesOf = (paths: readonly string[]): Entry[] =>
    paths.flatMap(path => {
      const node = nodes?.get(path)
      if (nodes && !node) return []
      return [{ to: path, text: node?.name ?? nodeCode(path), icon: icons[typeIn(path)] ?? Box, detail: path }]
    })
  return { starred: entriesOf(starred), recent: entriesOf(recent) }
}

/** Type of the node at a path: `asset` for `…/assets/front`. */
const typeIn = (path: string): string => path.split('/').at(-2)?.replace(/s$/, '') ?? ''

/** @param type kind of the records, of which there are all unless one is given */
function useSearchResults(text: string, type?: 'node'): { records: readonly Entry[]; error: unknown } {
  const query = useDeferredValue(text)
  const { data, error } = useQuery({
    queryKey: ['search', query, type],
    queryFn: () =>
      sluice().document<{ data: SearchResult[] }>('/api/search', {
        query,
        limit: resultLimit,
        ...(type && { types: type }),
      }),
    enabled: query.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const results = query.length > 1 ? (data?.data ?? []) : []
  return { records: results.flatMap(each => entryOf(each) ?? []), error }
}

const icons: Readonly<Record<string, LucideIcon>> = {
  project: Folder,
  environment: Layers,
  asset: Box,
  agent: Bot,
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
