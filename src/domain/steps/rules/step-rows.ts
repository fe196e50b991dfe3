import type { Body } from './next-moves.ts'
import type { StepDefinition } from './step-definition.ts'

/** A step of a tree as one row to insert: `parent` is the place of its parent in the list, null at the top. */
export interface TreeRow {
  readonly parent: number | null
  readonly position: number
  readonly tree_order: string
  readonly full_path: string
  readonly body: Body
  readonly needs_approval: boolean
  readonly children: number
  /** Whether the skip mask names it, or a step above it. */
  readonly skip: boolean
  readonly step: StepDefinition
}

/** Parent that the rows are inserted under: an existing step, or nothing. */
export interface Above {
  readonly tree_order: string
  readonly full_path: string
  /** The first free place. */
  readonly position: number
  /** Last segments of the full paths that are in use. */
  readonly taken: readonly string[]
}

/**
 * The trees in reading order, parents before their children.
 *
 * @param isSkipped a skip mask to apply to them, a function of full paths; steps with approvers are never skipped
 */
export function treeRows(
  trees: readonly StepDefinition[],
  above?: Above,
  isSkipped: (fullPath: string) => boolean = () => false,
): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (
    siblings: readonly StepDefinition[],
    parent: number | null,
    under: Above | undefined,
    parentSkipped: boolean,
  ) => {
    const names = segmentsOf(siblings, under?.taken)
    for (const [at, step] of siblings.entries()) {
      const position = (under?.position ?? 0) + at
      const full_path = under ? `${under.full_path}/${names[at]}` : names[at]!
      const needs_approval = (step.requires_approval_from ?? []).length > 0
      const masked = parentSkipped || isSkipped(full_path)
      const row = {
        parent,
        position,
        tree_order: (under?.tree_order ?? '') + orderOf(position),
        full_path,
        body: bodyOf(step),
        needs_approval,
        children: step.children.length,
        skip: step.skip_requested === true || (masked && !needs_approval),
        step,
      }
      rows.push(row)
      add(step.children, rows.length - 1, { ...row, position: 0, taken: [] }, masked)
    }
  }
  add(trees, null, above, false)
  return rows
}

/** Body of a step before its children begin, while nothing is done yet. */
export function bodyOf(step: StepDefinition): Body {
  if (step.step_type === 'wait' || step.step_type === 'input') return 'open'
  return step.definition === null ? 'none' : 'open'
}

/**
 * A position as text that sorts bytewise as the number does, whatever follows it: the count of its digits as a letter,
 * then the digits in base 36. So a parent's text is a prefix of its children's, and an elder subtree comes before the
 * younger.
 */
export function orderOf(position: number): string {
  const digits = position.toString(36)
  return String.fromCharCode(96 + digits.length) + digits
}

/**
 * A `/` inside a name becomes `_`; siblings of one name (case-insensitive) get -1, -2, in the order of the list, past
 * every number that another sibling's own name uses.
 */
export function distinctNames(names: readonly string[], taken: readonly string[] = []): string[] {
  const plain = names.map(name => name.replaceAll('/', '_'))
  const used = new Set(taken.map(lower))
  const alone = new Set<string>()
  for (const [name, same] of Map.groupBy(plain, lower)) if (same.length === 1 && !used.has(name)) alone.add(name)
  for (const name of alone) used.add(name)
  // Number at which the search for a free one continues: of 20,000 siblings of one name none starts again at 1.
  const next = new Map<string, number>()
  return plain.map(name => {
    if (alone.has(lower(name))) return name
    let number = next.get(lower(name)) ?? 1
    while (used.has(lower(`${name}-${number}`))) number += 1
    next.set(lower(name), number + 1)
    used.add(lower(`${name}-${number}`))
    return `${name}-${number}`
  })
}

/** The last parts of their full paths: derived from their names, unless all of them already have one. */
export const segmentsOf = (siblings: readonly StepDefinition[], taken: readonly string[] = []): readonly string[] =>
  siblings.every(({ segment }) => segment !== undefined)
    ? siblings.map(({ segment }) => segment!)
    : distinctNames(
        siblings.map(({ step_name }) => step_name),
        taken,
      )

const lower = (name: string) => name.toLowerCase()
