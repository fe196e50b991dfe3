import { setTimeout as pause } from 'node:timers/promises'
import { isFinal, type Resource } from '../client/sluice.ts'
import { endStatus, waitFor } from './changes.ts'
import { recordText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { kindNamed, one } from './record-kinds.ts'
import { expectUnreadOutput, type Terminal } from './terminal.ts'
import { waitForRun } from './workflow-runs.ts'
import { WrongUsage } from './wrong-usage.ts'

type Attributes = Readonly<Record<string, unknown>>

/** Final states of a record type that is processed after its creation. */
interface Ending {
  isOver(attributes: Attributes): boolean
  /** Reason of a failure; undefined after success. */
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

const pollInterval = 200

/**
 * Waits until the processing of a record has ended and prints the record.
 *
 * @returns the exit status, 0 after success
 * @throws WrongUsage for a record type that is not processed after its creation
 */
export async function waitForRecord(terminal: Terminal, record: Resource): Promise<number> {
  if (record.type === 'change') return waitFor(terminal, record.id, { steps: false, logs: false, justMade: true })
  if (record.type === 'workflow_run') return waitForRun(terminal, record.id, { steps: false, justMade: true })
  const ending = endings[record.type]
  const path = record.links?.['self']
  if (!ending || !path)
    throw new WrongUsage(`--wait cannot be used here: ${one(record.type)} is complete as soon as it is created.`)
  expectUnreadOutput()
  let shown = record
  while (!ending.isOver(shown.attributes)) {
    await pause(pollInterval)
    shown = await terminal.sluice.show<Record<string, unknown>>(new URL(path, terminal.sluice.url).pathname)
  }
  terminal.write(recordText(kindNamed(record.type), shown, terminal))
  const failure = ending.failure(shown.attributes)
  if (failure === undefined) return endStatus('success')
  terminal.say(plainLine(`The ${record.type.replaceAll('_', ' ')} ${failure}`))
  return endStatus('error')
}

/** Whether `--wait` can be used for a record type. */
export const canBeWaitedFor = (type: string): boolean => type in endings || type === 'change' || type === 'workflow_run'
