import type { Domain } from '#platform/domain.ts'
import { artefactContent, artefactResource } from './artefact.resource.ts'
import { logLineResource } from './log-line.resource.ts'
import type { LogOwners } from './log-owners.port.ts'

export { contentsOf, copyArtefacts, deleteArtefacts, deleteContents, storeArtefact } from './artefacts.store.ts'
export { addToLog, deleteLines, insertChunks } from './log-chunks.store.ts'
export {
  byChunk,
  keyOf,
  linesOfChunks,
  nextChunks,
  nothingSeen,
  type Reading,
  unseen,
} from './log-following.store.ts'
export { columnsOfLog, linesOfLog } from './log-line-lists.resource.ts'
export { LogWriter } from './log-writer.tx.ts'
export { storeLines, storeLinesOneByOne, type UnstoredLines } from './store-lines.tx.ts'

/** Log lines and artefacts of steps. */
export const logsDomain = (owners: LogOwners): Domain => ({
  name: 'logs',
  resources: [logLineResource(owners), artefactResource(owners)],
  views: [artefactContent],
})
