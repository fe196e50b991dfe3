import type { WordsOfFilters } from '../../components/filter/filters-in-force.ts'
import { agents as texts } from '../../messages/agents.ts'
import type { AgentSearch } from './search.ts'

/** Words for the filters in force. */
export const filterWords: WordsOfFilters<AgentSearch> = {
  q: { label: texts.nameFilter },
  archived: { label: texts.showArchived },
}
