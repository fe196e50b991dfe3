import type { Domain } from '#platform/domain.ts'
import { auditTrailViews } from './audit-trail.views.ts'
import { eventCommands } from './event.commands.ts'
import { eventsLive } from './event.live.ts'
import { eventResource } from './event.resource.ts'
import { eventTypesView } from './event-types.view.ts'
import { daily, sealing } from './seal.jobs.ts'

export { type Catalogue, catalogue } from './catalogue.ts'
export { activitiesBetween, endOfPage, eventsBetween, hasEventsAfter, nodesBetween } from './event.live.ts'
export { eventResource } from './event.resource.ts'
export { appendProgress, isRemovableEvent, newestEventOf, removeEvents } from './event.store.ts'
export { record, recordAll, recorder, recording } from './record.store.ts'
export { sealNext } from './seal.jobs.ts'
export { sealingState } from './seal.store.ts'
export { verifyAuditTrail } from './verify.tx.ts'

/** The audit trail: recorded by all domains, read and sealed here. */
export const eventsDomain: Domain = {
  name: 'events',
  resources: [eventResource],
  commands: eventCommands,
  views: [...auditTrailViews, eventTypesView],
  live: [eventsLive],
  jobs: [daily],
  loops: [sealing],
}
