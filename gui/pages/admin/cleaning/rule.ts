import type { DataCleanupDefinition, Resource } from '../../../api/records.ts'
import { cleaning as texts } from '../../../messages/cleaning.ts'

export type Rule = Resource<DataCleanupDefinition>
export type Kind = keyof typeof texts.kinds

export const rulesPath = '/api/data_cleanup_definitions'
/** Path on which rights on rules are checked. */
export const rulesRight = '/admin/data_cleanup_definitions'

/** Attributes of a rule as a form holds them. */
export interface RuleForm {
  readonly name: string
  readonly kind: Kind
  readonly older_than: string
  readonly cron_schedule: string
  readonly time_zone: string
  readonly node_paths: string
  readonly filters: string
  readonly maximum_per_run: string
}

/** Fields of a rule; those of a new one without it. */
export function formOf(rule: Rule | undefined, zone: string): RuleForm {
  if (!rule)
    return {
      name: '',
      kind: 'activities',
      older_than: 'P90D',
      cron_schedule: '30 3 * * *',
      time_zone: zone,
      node_paths: '%',
      filters: '',
      maximum_per_run: '',
    }
  const { attributes } = rule
  const { name, kind, older_than, cron_schedule, time_zone, maximum_per_run } = attributes
  return {
    ...{ name, kind, older_than, cron_schedule, time_zone },
    node_paths: attributes.node_paths.join('\n'),
    filters: hasFilters(attributes) ? JSON.stringify(attributes.filters, undefined, 2) : '',
    maximum_per_run: maximum_per_run === null ? '' : String(maximum_per_run),
  }
}

type Errors = Partial<Record<keyof RuleForm, string>>

/** Attributes for the API, and what of the form cannot be read. */
export function attributesOf(form: RuleForm): { readonly attributes: object; readonly errors: Errors } {
  const filters = filtersOf(form.filters)
  const maximum = form.maximum_per_run.trim()
  const errors: Errors = {
    ...(filters === undefined && { filters: texts.filtersInvalid }),
    ...(!/^\d*$/.test(maximum) && { maximum_per_run: texts.maximumInvalid }),
  }
  const attributes = {
    ...form,
    older_than: form.older_than.trim(),
    node_paths: form.node_paths
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
    filters: filters ?? {},
    maximum_per_run: maximum === '' ? null : Number(maximum),
  }
  return { attributes, errors }
}

/** The object that a text in JSON holds; undefined for any other text. */
function filtersOf(text: string): object | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const hasFilters = ({ filters }: Pick<DataCleanupDefinition, 'filters'>): boolean =>
  typeof filters === 'object' && filters !== null && Object.keys(filters).length > 0

/** `Deletes events older than P1Y, at most 10,000 per run`. */
export function ruleText({ kind, older_than, maximum_per_run: maximum }: DataCleanupDefinition): string {
  return texts.describe(texts.kinds[kind], older_than, maximum === null ? '' : texts.maximum(countText(maximum)))
}

/** Nodes of a rule: its paths, or that it concerns all. */
export const nodesText = (paths: readonly string[]): string => (paths.includes('%') ? texts.allNodes : paths.join(', '))

export const countText = (number: number): string => number.toLocaleString('en')
