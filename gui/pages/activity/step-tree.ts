import type { StepRecord } from './steps.ts'

/** Tree of a change as the API returns it: the names of the columns, and a row of values for each step. */
export interface StepTreeDocument {
  readonly data: {
    readonly attributes: { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  }
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
  'attempt',
  'started_at',
  'finished_at',
  'updated_at',
  'expected_seconds',
] as const

/**
 * Steps of a tree as the records that lists and streams have.
 *
 * @throws when a column is missing
 */
export function stepsOfTree({ data: { attributes } }: StepTreeDocument): StepRecord[] {
  const { columns, rows } = attributes
  const at = (name: string): number => {
    const place = columns.indexOf(name)
    if (place < 0) throw new Error(`The tree of steps has no column "${name}".`)
    return place
  }
  const [id, parent, name, can] = [at('id'), at('parent_id'), at('name'), at('can')]
  const places = same.map(each => [each, at(each)] as const)
  return rows.map(row => {
    const parentId = row[parent] as string | null
    const values = Object.fromEntries(places.map(([each, place]) => [each, row[place]]))
    return {
      id: row[id] as string,
      type: 'step',
      attributes: { ...values, step_name: row[name] } as unknown as StepRecord['attributes'],
      relationships: { parent: { data: parentId === null ? null : { type: 'step', id: parentId } } },
      meta: { can: row[can] },
    }
  })
}
