import type { Domain } from '#platform/domain.ts'
import { cleanJob } from './clean.jobs.ts'
import { definitionCommands } from './cleanup-definition.commands.ts'
import { definitionResource } from './cleanup-definition.resource.ts'
import { dueLoop } from './come-due.jobs.ts'
import { previewView } from './preview.view.ts'
import { type RemovingParts, removables } from './removable.store.ts'

/** Domain of data cleaning: old records are removed by definitions on schedules. */
export const dataCleaningDomain = (parts: RemovingParts): Domain => {
  const kinds = removables(parts)
  return {
    name: 'data-cleaning',
    resources: [definitionResource],
    commands: definitionCommands(kinds),
    views: [previewView(kinds)],
    jobs: [cleanJob(kinds)],
    loops: [dueLoop()],
  }
}
