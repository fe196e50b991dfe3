import type { WordsOfFilters } from '../../components/filter/filters-in-force.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import type { ScheduleSearch } from './search.ts'

/** Words for the filters in force. */
export const filterWords: WordsOfFilters<ScheduleSearch> = {
  text: { label: texts.textFilter },
  under: { label: texts.under },
  disabled: { label: texts.disabledOnly },
}
