import { administration } from './administration.ts'
import { changes } from './changes.ts'
import { configuration } from './configuration.ts'
import { nodes } from './nodes.ts'
import { rights } from './rights.ts'
import { schedules } from './schedules.ts'
import type { LaterPart, ResourceTable, ValueKind } from './table.ts'
import { templates } from './templates.ts'
import { workflows } from './workflows.ts'

/** Every type of record of this part of the product, one table for each form of it. */
export const resourceTables: readonly ResourceTable[] = [
  ...nodes,
  ...templates,
  ...configuration,
  ...rights,
  ...schedules,
  ...workflows,
  ...changes,
  ...administration,
]

const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: value => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: value => typeof value === 'boolean',
  time: value => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value),
  sha: value => typeof value === 'string' && /^[0-9a-f]{40}$/.test(value),
  uuid: value => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  any: value => value !== undefined,
}

/** Whether a value has the kind of its table. */
export function isOfKind(value: unknown, kind: ValueKind): boolean {
  const mayBeNull = kind.endsWith('?')
  return (mayBeNull && value === null) || forms[kind.replace('?', '')]!(value)
}

/** Whether lists filter by values of that kind with `eq`, and sort by them. */
export const isSortable = (kind: ValueKind): boolean => !/^(object|array|any)/.test(kind)

/** The part of the product that implements a row, if it is another one. */
export const partOf = (table: ResourceTable, row: string): LaterPart | undefined => table.later?.[row]
