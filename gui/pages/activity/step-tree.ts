import type { ActivityKind } from './activity-kind.ts'
import type { StepRecord } from './steps.ts'

/** Tree of an activity as the API returns it: the names of the columns, and a row of values for each step. */
export interface StepTreeDocument {
  readonly data: {
    readonly attributes: { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  }
}

/** Steps of a tree, and the numbers of lines of their logs. */
export interface StepTree {
  readonly steps: readonly StepRecord[]
  /** Number of lines by the id of the step: of a change its own, of a workflow run also those of what it made. */
  readonly lines: ReadonlyMap<string, number>
}

/** Columns that are attributes of steps under the same name. */
const same = [
  'full_path',
  'step_type',
  'status_code',
  'child_execution_strategy',
  'ignore_failure',
  'requires_approval_from',
  'approved_by',
  'tree_order',
  'started_at',
  'finished_at',
  'updated_at',
  'expected_seconds',
] as const

/** Further columns, the attribute with the name, and the number of lines, of the steps of changes and of runs. */
const byType = {
  step: { attributes: ['attempt'], name: 'step_name', related: {}, lines: 'log_line_count' },
  workflow_step: {
    attributes: [],
    name: 'name',
    related: { changes: 'change', workflow_runs: 'workflow_run' },
    lines: 'total_line_count',
  },
} as const

/**
 * Steps of a tree as the records that lists and streams have.
 *
 * @throws when a column is missing
 */
export function stepTree({ data: { attributes } }: StepTreeDocument, type: ActivityKind['stepType']): StepTree {
  const { columns, rows } = attributes
  const at = (name: string): number => {
    const place = columns.indexOf(name)
    if (place < 0) throw new Error(`The tree of steps has no column "${name}".`)
    return place
  }
  const own = byType[type]
  const [id, parent, name, can, lines] = [at('id'), at('parent_id'), at('name'), at('can'), at(own.lines)]
  const places = [...same, ...own.attributes].map(each => [each, at(each)] as const)
  const related = Object.entries(own.related).map(([each, of]) => [each, at(each), of] as const)
  const steps = rows.map(row => {
    const parentId = row[parent] as string | null
    const values = Object.fromEntries(places.map(([each, place]) => [each, row[place]]))
    const made = related.map(([each, place, of]) => [each, identifiers(row[place] as string[], of)] as const)
    return {
      id: row[id] as string,
      type,
      attributes: { ...values, [own.name]: row[name] } as unknown as StepRecord['attributes'],
      relationships: {
        parent: { data: parentId === null ? null : { type, id: parentId } },
        ...Object.fromEntries(made),
      },
      meta: { can: row[can] },
    }
  })
  return { steps, lines: new Map(rows.map(row => [row[id] as string, Number(row[lines])])) }
}

const identifiers = (ids: readonly string[], type: string) => ({ data: ids.map(id => ({ type, id })) })
