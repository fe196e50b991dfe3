import { Fields } from '../files/fields.ts'
import { isPlaceholder } from './placeholders.ts'
import { approverKeys, runAsWords, stepKeys } from './step-keys.ts'
import { namesOf } from './step-names.ts'
import {
  documents,
  itemsOf,
  notePlaces,
  readNumber,
  readOneOrMore,
  readText,
  readTexts,
  type StepReading,
  type WorkflowReading,
} from './step-values.ts'
import { refuseOtherKeys, typeOf } from './workflow-keys.ts'
import { workflowLimits } from './workflow-limits.ts'
import { optional, type RunAs, type WorkflowStepType, type WrittenStep } from './workflow-tree.ts'

/** The steps under a key, each as far as it can be read. */
export function readSteps(reading: WorkflowReading, above: Fields, key: string, depth: number): WrittenStep[] {
  const items = above.list(key)
  if (items?.length === 0) above.fault(above.takeNode(key)!.node, `"${key}" holds at least one step.`)
  if (items && depth > workflowLimits.depth + 1) {
    above.fault(above.takeNode(key)!.node, `Stages are nested deeper than ${workflowLimits.depth} levels.`)
    return []
  }
  const steps = (items ?? []).flatMap(({ node }) => readStep(reading, node, depth) ?? [])
  const names = namesOf(steps)
  return steps.map((step, i) => ({ ...step, name: names[i]! }))
}

function readStep(reading: WorkflowReading, node: unknown, depth: number): WrittenStep | undefined {
  const fields = Fields.of(reading, node, 'A step holds keys, such as "target" and "action".')
  if (!fields) return undefined
  const { type, doubt } = typeOf(fields, node)
  const step: StepReading = { reading, fields, node, places: {}, depth }
  const given = readText(step, 'name', change.name.rule)
  const read = type && readers[type](step)
  refuseOtherKeys(fields, type, doubt)
  return (
    type && {
      ...nothing,
      ...read,
      type,
      name: '',
      ...(given !== undefined && { given_name: given }),
      line: reading.place(node).line,
      places: { ...step.places, '': reading.place(node) },
    }
  )
}

const { change, wait, workflow } = stepKeys

const nothing = {
  run_as: 'sequential',
  ignore_failure: false,
  children: [],
  targets: [],
  template_versions: [],
  property_overrides: [],
  reset_on_retry: false,
} as const

const readers: Readonly<Record<WorkflowStepType, (step: StepReading) => Partial<WrittenStep>>> = {
  change: step => {
    const { fields, node } = step
    const targets = readOneOrMore(step, 'target', 'targets')
    const versions = readOneOrMore(step, 'template_version', 'template_versions')
    if (!fields.peek('target') && !fields.peek('targets'))
      fields.fault(node, 'A change has a "target", the path of a node, or several "targets".')
    if (!fields.peek('action')) fields.fault(node, 'A change has an "action".')
    checkVersions(step, targets, versions)
    checkRevision(step)
    const overrides = fields.take('property_overrides')
    if (Array.isArray(overrides?.value))
      fields.fault(overrides.node, '"property_overrides" of a change is one object; a list is for workflows.')
    else notePlaces(step, 'property_overrides/0', overrides?.node)
    return {
      targets,
      ...optional('action', readText(step, 'action', change.action.rule)),
      template_versions: versions,
      ...optional('git_remote_name', readText(step, 'git_remote_name', change.git_remote_name.rule)),
      ...optional('git_rev', readText(step, 'git_rev', change.git_rev.rule)),
      ...optional('start_time', readText(step, 'start_time', change.start_time.rule)),
      property_overrides: Array.isArray(overrides?.value) ? [] : documents(step, overrides),
      run_as: runAs(fields),
      ignore_failure: fields.boolean('ignore_failure') ?? false,
    }
  },
  wait: step => {
    const { fields, node } = step
    const seconds = readNumber(step, 'seconds', wait.seconds.most)
    const approvers = readApprovers(step)
    if (seconds !== undefined && approvers)
      fields.fault(node, 'A wait with approvers ends when they approve; "seconds" would approve by itself.')
    return {
      ...optional('seconds', seconds),
      ...optional('requires_approval_from', approvers),
      reset_on_retry: fields.boolean('reset_on_retry') ?? false,
    }
  },
  workflow: step => {
    const { fields, node } = step
    if (!fields.peek('target')) fields.fault(node, 'A workflow has a "target", the code of the workflow that it runs.')
    const overrides = fields.take('property_overrides')
    for (const [i, each] of itemsOf(step, overrides?.node).entries()) notePlaces(step, `property_overrides/${i}`, each)
    return {
      ...optional('workflow', readText(step, 'target', workflow.target.rule)),
      ...optional('version', readNumber(step, 'version', workflow.version.most)),
      ...optional('start_time', readText(step, 'start_time', change.start_time.rule)),
      property_overrides: documents(step, overrides),
      run_as: runAs(fields),
    }
  },
  stage: step => {
    const { fields, node, reading, depth } = step
    if (!fields.peek('children')) fields.fault(node, 'A stage has "children", its steps.')
    return {
      children: readSteps(reading, fields, 'children', depth + 1),
      run_as: runAs(fields),
      ignore_failure: fields.boolean('ignore_failure') ?? false,
    }
  },
}

const runAs = (fields: Fields): RunAs => fields.oneOf('run_as', runAsWords) ?? 'sequential'

function checkVersions({ fields }: StepReading, targets: readonly string[], versions: readonly string[]): void {
  const field = fields.takeNode('template_versions')
  if (!field || [...targets, ...versions].some(isPlaceholder)) return
  if (versions.length > 1 && versions.length !== targets.length)
    fields.fault(
      field.node,
      `"template_versions" has one version for all targets or one for each: there are ${targets.length} targets and ${versions.length} versions.`,
    )
}

function checkRevision({ fields, node }: StepReading): void {
  const remote = fields.peek('git_remote_name')
  if (remote !== fields.peek('git_rev'))
    fields.fault(
      node,
      `"git_remote_name" and "git_rev" go together; ${remote ? '"git_rev"' : '"git_remote_name"'} is missing.`,
    )
  const version = fields.takeNode('template_versions') ?? fields.takeNode('template_version')
  if (remote && version)
    fields.fault(
      version.node,
      `"${version.name}" is for assets, "git_remote_name" and "git_rev" for projects and environments.`,
    )
}

function readApprovers(step: StepReading): WrittenStep['requires_approval_from'] | undefined {
  const field = step.fields.takeNode('requires_approval_from')
  if (!field) return undefined
  const fields = Fields.of(step.reading, field.node, '"requires_approval_from" holds user_names or ldap_groups.')
  if (!fields) return undefined
  const user_names = readTexts(step, fields, 'user_names', approverKeys.user_names.rule)
  const ldap_groups = readTexts(step, fields, 'ldap_groups', approverKeys.ldap_groups.rule)
  const required_approvals =
    readNumber({ ...step, fields }, 'required_approvals', approverKeys.required_approvals.most) ?? 1
  fields.refuseOthers()
  if (!fields.peek('user_names') && !fields.peek('ldap_groups'))
    fields.fault(field.node, '"requires_approval_from" names at least one of user_names or ldap_groups.')
  const few = ldap_groups.length === 0 && !user_names.some(isPlaceholder) && user_names.length > 0
  if (few && typeof required_approvals === 'number' && required_approvals > user_names.length)
    fields.fault(
      fields.takeNode('required_approvals')!.node,
      `${required_approvals} approvals are asked of ${user_names.length} ${user_names.length === 1 ? 'person' : 'people'}.`,
    )
  return { user_names, ldap_groups, required_approvals }
}
