import type { WordsOfFilters } from '../../components/filter/filters-in-force.ts'
import { access as texts } from '../../messages/access.ts'
import type { AccessSearch } from './search.ts'

/** Words for the filters in force of policies and groups. */
export const filterWords: WordsOfFilters<AccessSearch> = { find: { label: texts.nameContains } }

/** Words for the filters in force of users. */
export const userFilterWords: WordsOfFilters<AccessSearch> = { ...filterWords, group: { label: texts.group } }
