import type { WordsOfFilters } from '../../components/filter/filters-in-force.ts'
import { templates as texts } from '../../messages/templates.ts'
import type { TemplatesSearch } from './search.ts'

/** Words for the filters in force. */
export const filterWords: WordsOfFilters<TemplatesSearch> = { q: { label: texts.textFilter } }
