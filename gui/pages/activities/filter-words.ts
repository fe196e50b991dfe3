import { timeWords, type WordsOfFilters } from '../../components/filter/filters-in-force.ts'
import { statusWord } from '../../components/status/status.tsx'
import { activities as texts } from '../../messages/activities.ts'
import type { ActivitySearch } from './search.ts'

/** Words for the filters in force. */
export const filterWords: WordsOfFilters<ActivitySearch> = {
  active: { label: texts.active },
  mine: { label: texts.mine },
  waiting: { label: texts.waitingForMe },
  status: { label: texts.columns.status, value: statusWord },
  path: { label: texts.fields.path },
  name: { label: texts.fields.name },
  by: { label: texts.fields.by },
  under: { label: texts.fields.under },
  metadata: { label: texts.fields.metadata },
  from: timeWords(texts.fields.from),
  to: timeWords(texts.fields.to),
}
