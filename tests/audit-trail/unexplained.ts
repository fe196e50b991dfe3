import type { Told, Written } from './journal.ts'
import { type Differs, rules } from './rules.ts'

/** Writes without an event, and events without an effect. `earlier`: rows from before the journal. */
export function unexplained(
  journal: readonly Written[],
  events: readonly Told[],
  earlier: ReadonlySet<string>,
): string[] {
  const toldIn = Map.groupBy(events, ({ tx }) => tx)
  const writtenIn = Map.groupBy(journal, ({ tx }) => tx)
  // Records of a destroyed node are deleted later, in batches: the node's event covers all of them.
  const destroyed = new Set(
    journal.flatMap(({ table, after }) => (table === 'nodes' && after?.['destroyed_at'] ? [after['id']] : [])),
  )
  const isGone = ({ table, before }: Written) =>
    table !== 'nodes' && [before?.['node_id'], before?.['project_id']].some(id => destroyed.has(id))
  return [
    ...inAll(journal).flatMap(written => (isGone(written) ? [] : lacking(written, toldIn.get(written.tx) ?? []))),
    ...events
      .filter(event => !earlier.has(event.source_id ?? '') && !isOfSomething(event, writtenIn.get(event.tx) ?? []))
      .map(event => `of nothing: ${inWords(event)}`),
  ]
}

/** Net effect of a transaction on each row, over all of its statements. */
function inAll(journal: readonly Written[]): Written[] {
  const rows = Map.groupBy(
    journal,
    ({ tx, table, before, after }) => `${tx} ${table} ${(after ?? before)!['id'] ?? ''}`,
  )
  return [...rows.values()]
    .map(all => ({ ...all[0]!, after: all.at(-1)!.after }))
    .filter(({ before, after }) => before !== null || after !== null)
}

function lacking({ table, before, after }: Written, told: readonly Told[]): string[] {
  const rule = rules[table as keyof typeof rules]
  const row = (after ?? before)!
  const differs: Differs = (...columns) =>
    columns.some(column => JSON.stringify(before?.[column]) !== JSON.stringify(after?.[column]))
  const verb = !before ? 'create' : after ? 'update' : 'destroy'
  if (verb === 'update' && (rule.columns === '' || !differs(...rule.columns.split(' ')))) return []
  return rule.needs({ before, after, row, verb, differs }).flatMap(({ type, about, tells }) => {
    const found = told.filter(
      event => type.test(event.type) && (about === undefined || event.source_id === about) && (tells?.(event) ?? true),
    )
    if (found.length === 1) return []
    const changed = Object.keys(row).filter(column => verb === 'update' && differs(column))
    return [
      `${found.length} events ${type.source} tell of ${verb} in ${table} ${row['id']} (${changed.join(' ')}); told: ${told.map(each => each.type).join(', ')}`,
    ]
  })
}

/** A PUT of a version is recorded even without a change, and a PUT of a list is recorded by its parts. */
const always = /^api:template_versions:update$/

function isOfSomething(event: Told, written: readonly Written[]): boolean {
  if (
    !/^api:.*:(create|update|destroy|publish|pause|resume)$/.test(event.type) ||
    !event.system ||
    always.test(event.type)
  )
    return true
  if (/_creation:create$/.test(event.type)) return true
  const ids = written.flatMap(({ before, after }) => {
    const row = (after ?? before)!
    return [row['id'], row['workflow_id'], row['properties_id'], row['settings_id'], row['node_id']]
  })
  return ids.includes(event.source_id)
}

export const inWords = ({ type, username, source_id, attributes }: Told) =>
  `${type} by ${username} about ${source_id} ${JSON.stringify(attributes).slice(0, 300)}`
