import { setTimeout as pause } from 'node:timers/promises'
import { isFinal, type Resource } from '../client/sluice.ts'
import { endStatus, waitFor } from './changes.ts'
import { recordText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { kindNamed, one } from './record-kinds.ts'
import { endsUnknown, type Terminal } from './terminal.ts'
import { waitForRun } from './workflow-runs.ts'
import { WrongUsage } from './wrong-usage.ts'

type Attributes = Readonly<Record<string, unknown>>

/** How a type of record that is worked on after its creation ends. */
interface Ending {
  isOver(attributes: Attributes): boolean
  /** Why it did not succeed; undefined when it did. */
  failure(attributes: Attributes): string | undefined
}

const endings: Readonly<Record<string, Ending>> = {
  template_version: {
    isOver: ({ state }) => state !== 'initializing',
    failure: ({ state, initialization_error: why }) => (state === 'broken' ? `is broken: ${why}` : undefined),
  },
  node_background_task: {
    isOver: ({ status_code: status }) => isFinal(String(status)),
    failure: ({ status_code: status, error_message: why }) =>
      status === 'success' ? undefined : `ended: ${status}${why ? `, ${why}` : ''}`,
  },
}

const often = 200

/**
 * Waits until what was asked for with a record is over, and shows the record as it is then.
 *
 * @returns the status that the command ends with: 0 when it succeeded
 * @throws WrongUsage for a type of which nothing is waited for
 */
export async function waitForRecord(terminal: Terminal, record: Resource): Promise<number> {
  if (record.type === 'change') return waitFor(terminal, record.id, { steps: false, logs: false, justMade: true })
  if (record.type === 'workflow_run') return waitForRun(terminal, record.id, { steps: false, justMade: true })
  const ending = endings[record.type]
  const path = record.links?.['self']
  if (!ending || !path) throw new WrongUsage(`--wait means nothing here: ${one(record.type)} is whole at once.`)
  endsUnknown()
  let shown = record
  while (!ending.isOver(shown.attributes)) {
    await pause(often)
    shown = await terminal.sluice.show<Record<string, unknown>>(new URL(path, terminal.sluice.url).pathname)
  }
  terminal.write(recordText(kindNamed(record.type), shown, terminal))
  const failure = ending.failure(shown.attributes)
  if (failure === undefined) return endStatus('success')
  terminal.say(plainLine(`The ${record.type.replaceAll('_', ' ')} ${failure}`))
  return endStatus('error')
}

/** Whether `--wait` means something for a type of record. */
export const canBeWaitedFor = (type: string): boolean => type in endings || type === 'change' || type === 'workflow_run'
