import type { Query, Resource } from '../client/sluice.ts'
import { addressOf } from './address.ts'
import { tellOfEnvironments } from './assets-of-environments.ts'
import { listText, recordText } from './output.ts'
import { placeAmong } from './place.ts'
import { type Narrowing, queryFrom } from './query.ts'
import { kindNamed, plural, type RecordKind } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface ListOptions extends Narrowing {
  all?: boolean
  columns?: string
}

export async function list(
  terminal: Terminal,
  type: string,
  where: readonly string[],
  options: ListOptions,
): Promise<void> {
  const kind = kindNamed(type)
  if (kind.lists.length === 0) throw new WrongUsage(`There is no list of ${plural(kind.type)}: show one by its path.`)
  const { path } = placeAmong(kind.lists, where, `Where are the ${plural(kind.type)}`)
  await listAt(terminal, kind, path, options)
  await tellOfEnvironments(terminal, path)
}

export async function listAt(terminal: Terminal, kind: RecordKind, path: string, options: ListOptions): Promise<void> {
  const query: Query = { ...queryFrom(options), ...(options.all && !options.limit && { limit: 1_000 }) }
  const records: Resource[] = []
  let more = false
  for await (const { data, links } of terminal.sluice.pages(path, query)) {
    if (isReadBackwards(kind, query)) records.unshift(...data)
    else records.push(...data)
    more = Boolean(links?.next)
    if (!options.all) break
  }
  const columns = options.columns?.split(',').filter(Boolean)
  terminal.write(listText(kind, records, { format: terminal.format, columns, screen: terminal.screen }))
  if (records.length === 0 && terminal.format === 'table') terminal.say(`There are no ${plural(kind.type)} here.`)
  if (more && !options.all) terminal.say(`These are ${records.length}, and there are more: --all shows them all.`)
}

/** Of events and log lines the newest come as the first page, and oldest first within it, unless they are asked for in an order. */
const isReadBackwards = ({ type }: RecordKind, query: Query): boolean =>
  /^event$|log_line$/.test(type) && !Object.keys(query).some(name => name.startsWith('filter[sorts]'))

export async function show(
  terminal: Terminal,
  type: string,
  where: readonly string[],
  options: { include?: string; query?: string[] },
): Promise<void> {
  const kind = kindNamed(type)
  const path = await addressOf(terminal, kind, kind.shows, where)
  const query = { ...queryFrom({ query: options.query }), ...(options.include && { include: options.include }) }
  const document = await terminal.sluice.send('GET', path, { query })
  if (!document) throw new Error(`${path} answered nothing`)
  const { data, included } = document
  // What was included is asked for by programs, and they want the whole document.
  if (included && options.include && terminal.format !== 'table')
    terminal.write(listText(kind, [data as Resource, ...included], terminal))
  else terminal.write(recordText(kind, data as Resource, terminal))
}
