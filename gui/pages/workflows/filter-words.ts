import type { WordsOfFilters } from '../../components/filter/filters-in-force.ts'
import { workflows as texts } from '../../messages/workflows.ts'
import type { WorkflowListSearch } from './search.ts'

/** Words for the filters in force. */
export const filterWords: WordsOfFilters<WorkflowListSearch> = {
  text: { label: texts.textFilter },
  project: { label: texts.project },
  archived: { label: texts.archived },
}
