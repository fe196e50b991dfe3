import { isMap } from 'yaml'
import { cutToMicroseconds, readTime } from '#platform/jsonapi/times.ts'
import { Fields, jsonOf, type Reading } from '../files/fields.ts'
import { shortestSecret } from '../shortest-secret.ts'
import {
  type Approvers,
  type ArgumentType,
  argumentTypes,
  type InputArgument,
  type RunAs,
  type StepEntry,
} from './action.ts'

/** Called for every action that a list of steps names, with its place. */
type Uses = (name: string, node: unknown) => void

export const runAs = (fields: Fields): RunAs => fields.oneOf('run_as', ['sequential', 'parallel']) ?? 'sequential'

/** The key `steps` of an action, a stage, a wait or an input. */
export function readSteps(reading: Reading, above: Fields, uses: Uses): StepEntry[] {
  return (above.list('steps') ?? []).flatMap(({ node }) => {
    if (!isMap(reading.yaml.resolve(node))) {
      const action = above.textOf(node, 'A step is the name of an action, a stage, a wait or an input.')
      if (action === undefined) return []
      uses(action, node)
      return [{ kind: 'action', action } as const]
    }
    const fields = Fields.of(reading, node, '')!
    const kind = (['wait', 'input', 'action'] as const).find(each => fields.peek(each)) ?? 'stage'
    const entry = readers[kind](reading, fields, node, uses)
    fields.refuseOthers()
    return entry ? [entry] : []
  })
}

type Reader = (reading: Reading, fields: Fields, node: unknown, uses: Uses) => StepEntry | undefined

const readers: Readonly<Record<StepEntry['kind'], Reader>> = {
  /** Reads an action with a name of its own, which distinguishes several steps of the same action. */
  action: (_reading, fields, _node, uses) => {
    const at = fields.takeNode('action')!.node
    const action = fields.textOf(at, '"action" is the name of an action.')
    const name = fields.name('name')
    if (action === undefined) return undefined
    uses(action, at)
    return { kind: 'action', action, ...(name !== undefined && { name }) }
  },
  stage: (reading, fields, node, uses) => {
    const group = groupOf(reading, fields, 'name', uses)
    if (!fields.peek('name'))
      fields.fault(node, 'A stage has a "name" and "steps"; a wait has "wait", an input "input".')
    else if (!fields.peek('steps')) fields.fault(node, 'A stage has "steps".')
    return {
      kind: 'stage',
      ...group,
      run_as: runAs(fields),
      ignore_failure: fields.boolean('ignore_failure') ?? false,
    }
  },
  wait: (reading, fields, node, uses) => {
    const group = groupOf(reading, fields, 'wait', uses)
    const seconds = fields.integer('seconds', 1, 31_536_000) ?? null
    const until = readWaitTime(fields)
    const approvers = readApprovers(reading, fields)
    if (seconds !== null && until !== null) fields.fault(node, 'A wait ends after "seconds" or at "until", not both.')
    if (approvers && (seconds !== null || until !== null))
      fields.fault(node, 'A wait with approvers ends when they approve; "seconds" or "until" would approve by itself.')
    return { kind: 'wait', ...group, seconds, until, approvers }
  },
  input: (reading, fields, node, uses) => {
    const group = groupOf(reading, fields, 'input', uses)
    const items = fields.list('arguments') ?? []
    if (items.length === 0) fields.fault(node, 'An input asks for at least one of its "arguments".')
    const read = items.flatMap(({ node }) => readArgument(reading, node) ?? [])
    const names = read.map(({ name, path }) => `${path}/${name}`)
    if (new Set(names).size < names.length) fields.fault(node, 'Two arguments of an input have the same path and name.')
    return { kind: 'input', ...group, arguments: read }
  },
}

const groupOf = (reading: Reading, fields: Fields, nameKey: string, uses: Uses) => ({
  name: fields.name(nameKey) ?? '',
  description: fields.text('description', { most: 4_096 }) ?? null,
  steps: readSteps(reading, fields, uses),
})

function readWaitTime(fields: Fields): string | null {
  const field = fields.take('until')
  if (!field) return null
  const text = String(field.value)
  if (/T.*(Z|[+-]\d\d:\d\d)$/.test(text) && readTime(text) !== undefined) return cutToMicroseconds(text)
  fields.fault(field.node, '"until" is a time with its zone, such as 2026-11-21T02:00:00Z.')
  return null
}

function readApprovers(reading: Reading, above: Fields): Approvers | null {
  const field = above.takeNode('approvers')
  const fields = field && Fields.of(reading, field.node, '"approvers" holds user_names or ldap_groups.')
  if (!field || !fields) return null
  const approvers = {
    user_names: fields.texts('user_names'),
    ldap_groups: fields.texts('ldap_groups'),
    required_approvals: fields.integer('required_approvals', 1, 100) ?? 1,
  }
  fields.refuseOthers()
  if (approvers.user_names.length + approvers.ldap_groups.length === 0)
    fields.fault(field.node, '"approvers" names at least one of user_names or ldap_groups.')
  return approvers
}

function readArgument(reading: Reading, node: unknown): InputArgument | undefined {
  const fields = Fields.of(reading, node, 'An argument has a "name".')
  if (!fields) return undefined
  const name = fields.name('name')
  if (!fields.peek('name')) fields.fault(node, 'An argument has a "name".')
  const type = fields.oneOf('type', argumentTypes) ?? 'string'
  const path = readPointer(fields)
  const [label, description] = [
    fields.text('label', { most: 255, oneLine: true }),
    fields.text('description', { most: 4_096 }),
  ]
  const byDefault = fields.take('default_value')
  const valid = fields.list('valid_values')?.map(({ node }) => ({ node, value: jsonOf(reading, node) }))
  const required = fields.boolean('required') ?? byDefault === undefined
  const sensitive = fields.boolean('sensitive') ?? false
  fields.refuseOthers()
  if (sensitive && type !== 'string')
    fields.fault(node, 'A sensitive argument is of type string: it is kept as a secret.')
  for (const each of [...(byDefault ? [byDefault] : []), ...(valid ?? [])])
    if (each.value !== undefined && !isOfType[type](each.value)) fields.fault(each.node, `This is no ${type}.`)
    else if (sensitive && String(each.value).length < shortestSecret)
      fields.fault(
        each.node,
        `A sensitive value has at least ${shortestSecret} characters: shorter ones cannot be masked in logs.`,
      )
  if (byDefault && valid && !valid.some(({ value }) => JSON.stringify(value) === JSON.stringify(byDefault.value)))
    fields.fault(byDefault.node, '"default_value" is none of the "valid_values".')
  return {
    name: name ?? '',
    type,
    required,
    sensitive,
    path,
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...(byDefault && { default_value: byDefault.value }),
    ...(valid && { valid_values: valid.map(({ value }) => value) }),
  }
}

function readPointer(fields: Fields): string {
  const field = fields.take('path')
  if (!field || field.value === '') return ''
  if (typeof field.value === 'string' && /^(?:\/(?:[^~/]|~[01])*)+$/.test(field.value)) return field.value
  fields.fault(field.node, '"path" is a JSON pointer, such as /release.')
  return ''
}

const isOfType: Readonly<Record<ArgumentType, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  integer: value => Number.isSafeInteger(value),
  float: value => typeof value === 'number',
  boolean: value => typeof value === 'boolean',
  date: value => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && readTime(value) !== undefined,
  array: value => Array.isArray(value),
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value),
}
