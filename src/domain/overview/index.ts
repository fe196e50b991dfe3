import type { Domain } from '#platform/domain.ts'
import { nodeSummariesLive } from './node-summaries.live.ts'
import { nodeSummaryResource } from './node-summary.resource.ts'
import { searchView } from './search.view.ts'
import { summaryView } from './summary.view.ts'
import { waitingStepResource } from './waiting-step.resource.ts'

/** Lists and records that summarize records of several domains. */
export const overviewDomain: Domain = {
  name: 'overview',
  resources: [nodeSummaryResource, waitingStepResource],
  views: [searchView, summaryView],
  live: [nodeSummariesLive],
}
