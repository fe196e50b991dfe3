import type { Domain } from '#platform/domain.ts'
import { artefactContent, artefactResource } from './artefact.resource.ts'
import { logLives } from './log.live.ts'
import { logLineResource } from './log-line.resource.ts'
import { logMatchesViews } from './log-matches.views.ts'
import type { LogOwners } from './log-owners.port.ts'
import { logRangeViews } from './log-range.views.ts'

export { contentsOf, copyArtefacts, deleteArtefacts, deleteContents, storeArtefact } from './artefacts.store.ts'
export { addToLog, deleteLines, insertChunks } from './log-chunks.store.ts'
export { errorLineCount, lineCountsByStep, logLineCount, logVersion, madeLineCounts } from './log-counts.sql.ts'
export { type FeedPosition, feedBeginning, LogFeed, logOfActivity } from './log-feed.tx.ts'
export { unseen } from './log-following.store.ts'
export { columnsOfLog, linesOfLog } from './log-line-lists.resource.ts'
export { LogWriter } from './log-writer.tx.ts'
export { storeLines, storeLinesOneByOne, type UnstoredLines } from './store-lines.tx.ts'

/** Log lines and artefacts of steps. */
export function logsDomain(owners: LogOwners): Domain {
  const lines = logLineResource(owners)
  return {
    name: 'logs',
    resources: [lines, artefactResource(owners)],
    live: logLives(owners, lines),
    views: [artefactContent, ...logRangeViews(owners, lines), ...logMatchesViews(owners, lines)],
  }
}
