import { timeWords, type WordsOfFilters } from '../../components/filter/filters-in-force.ts'
import { eventSources, audit as texts } from '../../messages/audit.ts'
import type { AuditSearch } from './search.ts'

/** Words for the filters in force. */
export const filterWords: WordsOfFilters<AuditSearch> = {
  type: { label: texts.type },
  user: { label: texts.user },
  node: { label: texts.node },
  name: { label: texts.name },
  source: { label: texts.source, value: type => new Map(eventSources).get(type) ?? type },
  record: { label: texts.record },
  from: timeWords(texts.from),
  to: timeWords(texts.to),
}
