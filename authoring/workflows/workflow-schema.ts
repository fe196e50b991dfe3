import { placeholderPatterns } from './placeholders.ts'
import { approverKeys, type KeyValue, runAsWords, type StepKey, stepKeys, stepTypes } from './step-keys.ts'
import { textSchemas } from './text-rules.ts'
import { workflowLimits } from './workflow-limits.ts'
import type { WorkflowStepType } from './workflow-tree.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * JSON Schema (2020-12) of workflow documents, made of the tables that the reader reads by. It accepts every document
 * that the reader accepts. Its description names the rules that a schema cannot express.
 */
export const workflowSchema = (): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Workflow',
  description:
    'Steps of a workflow. Not expressed here: limits of the whole (steps in total, levels of stages, bytes), which days, time zones and repositories exist, whether names occur twice when their case is ignored, and whether numbers of versions and approvals fit the lists beside them.',
  type: 'object',
  required: ['steps'],
  additionalProperties: false,
  properties: { steps: { description: 'The steps, which run one after the other.', ...ref('steps') } },
  $defs: {
    steps: { type: 'array', minItems: 1, items: ref('step') },
    step: { type: 'object', anyOf: typesOfSteps.map(ref) },
    ...Object.fromEntries(typesOfSteps.map(type => [type, stepOf(type)])),
    approvers: {
      type: 'object',
      additionalProperties: false,
      properties: propertiesOf(approverKeys),
      anyOf: [requires('user_names'), requires('ldap_groups')],
    },
    override: { anyOf: [{ type: 'object', additionalProperties: ref('value') }, ref('placeholder')] },
    value: {
      description: 'Any value; texts at all depths may contain placeholders.',
      pattern: placeholderPatterns.within,
      items: ref('value'),
      additionalProperties: ref('value'),
    },
    placeholder: {
      type: 'string',
      description: 'A property of the project or an override of the run, such as {{release.version}}.',
      pattern: placeholderPatterns.alone,
    },
    ...Object.fromEntries(Object.entries(textSchemas).map(([rule, schema]) => [textName(rule), textOf(schema)])),
  },
})

const typesOfSteps = Object.keys(stepKeys) as WorkflowStepType[]

const stepOf = (type: WorkflowStepType): Schema => ({
  description: stepTypes[type],
  type: 'object',
  additionalProperties: false,
  properties: {
    type: { const: type, description: `Type of the step. ${stepTypes[type]}` },
    ...propertiesOf(stepKeys[type]),
  },
  ...rulesOf[type],
})

/** Combinations of keys that a step can have. Without a `type`, at least one key determines the type of the step. */
const rulesOf: Readonly<Record<WorkflowStepType, Schema>> = {
  change: {
    required: ['action'],
    oneOf: [requires('target'), requires('targets')],
    not: requires('template_version', 'template_versions'),
    dependentRequired: { git_remote_name: ['git_rev'], git_rev: ['git_remote_name'] },
    dependentSchemas: {
      git_remote_name: { not: { anyOf: [requires('template_version'), requires('template_versions')] } },
    },
  },
  wait: {
    anyOf: ['type', 'seconds', 'reset_on_retry', 'requires_approval_from'].map(key => requires(key)),
    not: requires('seconds', 'requires_approval_from'),
  },
  workflow: { required: ['target'], anyOf: [requires('type'), requires('version')] },
  stage: { required: ['children'] },
}

const propertiesOf = (keys: Readonly<Record<string, StepKey>>): Schema =>
  Object.fromEntries(
    Object.entries(keys).map(([name, { describe, ...value }]) => [name, { description: describe, ...schemaOf(value) }]),
  )

function schemaOf(value: KeyValue): Schema {
  switch (value.kind) {
    case 'text':
      return { type: 'string', ...ref(textName(value.rule)) }
    case 'texts':
      return orPlaceholder({
        type: 'array',
        minItems: 1,
        maxItems: workflowLimits.times,
        items: ref(textName(value.rule)),
        // One version may be that of several targets.
        ...(value.rule !== 'template_versions' && { uniqueItems: true }),
      })
    case 'number':
      return orPlaceholder({ type: 'integer', minimum: 1, maximum: value.most })
    case 'boolean':
      return { type: 'boolean' }
    case 'run_as':
      return { enum: runAsWords }
    case 'override':
      return ref('override')
    case 'overrides':
      return {
        anyOf: [
          ref('override'),
          { type: 'array', minItems: 1, maxItems: workflowLimits.times, items: ref('override') },
        ],
      }
    case 'approvers':
    case 'steps':
      return ref(value.kind)
  }
}

/** A text: with a placeholder only the form of its placeholders is known, without one it follows its rule. */
const textOf = (rule: object): Schema => ({
  type: 'string',
  if: { pattern: '\\{\\{' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { pattern: placeholderPatterns.within },
  else: rule,
})

const orPlaceholder = (schema: Schema): Schema => ({ anyOf: [schema, ref('placeholder')] })

const textName = (rule: string): string => `text_${rule}`

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` }
}

function requires(...keys: string[]): Schema {
  return { required: keys }
}
