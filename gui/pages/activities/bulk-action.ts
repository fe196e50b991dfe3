import type { Activity, Resource } from '../../api/records.ts'

/** What can be done with several activities, each by a request of its own. Approvals are decided one by one. */
export type BulkAction = 'pause' | 'resume' | 'cancel'

export const bulkActions: readonly BulkAction[] = ['pause', 'resume', 'cancel']

export type Row = Resource<Activity>

/** Result of one activity: not sent because it does not allow the action, under way, done, or refused with the error. */
export type Outcome =
  | { readonly state: 'impossible' | 'waiting' | 'done' }
  | { readonly state: 'refused'; readonly error: unknown }

/** Whether the activity allows an action to this user now. */
export const allows = ({ meta }: Row, action: BulkAction): boolean =>
  (meta?.['can'] as readonly string[] | undefined)?.includes(action) === true

export const nameOf = ({ attributes: { action, workflow_code: workflow } }: Row): string => action ?? workflow ?? ''

/** Number of requests at the same time: a selection must not take the connections of everything else. */
const atOnce = 4

/**
 * Does something with each activity that allows it, a few at the same time, and reports every result, also refusals.
 *
 * @param send one request; what it throws is the reason of the refusal
 * @param report called with the whole state whenever it has changed
 */
export async function actOnEach(
  rows: readonly Row[],
  action: BulkAction,
  send: (row: Row) => Promise<unknown>,
  report: (outcomes: ReadonlyMap<string, Outcome>) => void,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>(
    rows.map(row => [row.id, { state: allows(row, action) ? 'waiting' : 'impossible' }]),
  )
  const set = (id: string, outcome: Outcome) => {
    outcomes.set(id, outcome)
    report(new Map(outcomes))
  }
  report(new Map(outcomes))
  const queue = rows.filter(row => allows(row, action))
  const work = async () => {
    for (let row = queue.shift(); row; row = queue.shift())
      try {
        await send(row)
        set(row.id, { state: 'done' })
      } catch (error) {
        set(row.id, { state: 'refused', error })
      }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return outcomes
}

/** Numbers of activities by result. */
export function countsOf(outcomes: ReadonlyMap<string, Outcome>): Readonly<Record<Outcome['state'], number>> {
  const counts = { impossible: 0, waiting: 0, done: 0, refused: 0 }
  for (const { state } of outcomes.values()) counts[state] += 1
  return counts
}
