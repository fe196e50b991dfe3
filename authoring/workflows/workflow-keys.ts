import type { Fields } from '../files/fields.ts'
import { stepKeys } from './step-keys.ts'
import type { WorkflowStepType } from './workflow-tree.ts'

/** Names of the keys of each type of step, in addition to `type`. */
export const keysOf: Readonly<Record<WorkflowStepType, readonly string[]>> = {
  change: Object.keys(stepKeys.change),
  wait: Object.keys(stepKeys.wait),
  workflow: Object.keys(stepKeys.workflow),
  stage: Object.keys(stepKeys.stage),
}

const types = Object.keys(keysOf) as WorkflowStepType[]

/** Types by the keys that only they have. */
const sign = new Map(
  types.flatMap(type =>
    keysOf[type]
      .filter(key => types.every(other => other === type || !keysOf[other].includes(key)))
      .map(key => [key, type] as const),
  ),
)

/** The type of a step, and whether it is in doubt, which is then recorded as a fault. */
export function typeOf(fields: Fields, node: unknown): { type: WorkflowStepType | undefined; doubt: boolean } {
  const told = [...sign].filter(([key]) => fields.peek(key))
  const [first] = told
  if (fields.peek('type')) {
    const type = fields.oneOf('type', types)
    return { type: type ?? first?.[1], doubt: type === undefined }
  }
  if (!first) {
    fields.fault(
      node,
      fields.peek('target')
        ? 'A step with a "target" is a change with its "action", or a workflow with "type: workflow"; this says neither.'
        : 'A step is a change ("target" and "action"), a wait ("type: wait"), a workflow ("type: workflow" and "target") or a stage ("children").',
    )
    return { type: undefined, doubt: true }
  }
  const other = told.find(([, type]) => type !== first[1])
  if (other)
    fields.fault(
      node,
      `"${first[0]}" is of a ${first[1]} and "${other[0]}" of a ${other[1]}: "type" has to say which it is.`,
    )
  return { type: first[1], doubt: other !== undefined }
}

/** Refuses keys that the type of a step does not have, naming those that it has. */
export function refuseOtherKeys(fields: Fields, type: WorkflowStepType | undefined, doubt: boolean): void {
  // If the type itself is in doubt, the keys of all types are accepted.
  const known = doubt || !type ? types.flatMap(each => keysOf[each]) : keysOf[type]
  for (const key of ['type', ...known]) fields.takeNode(key)
  fields.refuseOthers(key => {
    const others = types.filter(each => keysOf[each].includes(key))
    if (!type || others.length === 0) return undefined
    const hint = type === 'workflow' && key === 'ignore_failure' ? ' A stage around it can.' : ''
    return `A ${type} cannot have "${key}"; it has ${keysOf[type].join(', ')}.${hint}`
  })
}
