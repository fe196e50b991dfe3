import type { Query, Resource } from '../client/sluice.ts'
import { addressOf } from './address.ts'
import { listText, recordText } from './output.ts'
import { type Place, placeAmong } from './place.ts'
import { type ListQueryOptions, queryFrom } from './query.ts'
import { kindNamed, plural, type RecordKind } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface ListOptions extends ListQueryOptions {
  all?: boolean
  columns?: string
  /** Lists only records of the node itself, not of the nodes below it. */
  here?: boolean
}

export async function list(
  terminal: Terminal,
  type: string,
  where: readonly string[],
  options: ListOptions,
): Promise<void> {
  const kind = kindNamed(type)
  if (kind.lists.length === 0) throw new WrongUsage(`There is no list of ${plural(kind.type)}. Show one by its path.`)
  const place = placeAmong(kind.lists, where, `Specify where to list ${plural(kind.type)}`)
  const below = options.here ? undefined : listBelow(kind, place)
  if (!below) return listAt(terminal, kind, place.path, options)
  if (options.any)
    throw new WrongUsage(
      `--any would also make ${below.node} optional. Add --here to list only the ${plural(kind.type)} of that node.`,
    )
  await listAt(terminal, kind, below.path, {
    ...options,
    filter: [...(options.filter ?? []), `under=${below.node}`],
  })
}

/**
 * Path of the list that includes the nodes below a project or environment; undefined if records of this type only exist
 * at the node itself.
 */
function listBelow({ lists }: RecordKind, { operation, path }: Place): { path: string; node: string } | undefined {
  const [, node, name] = /^(\/api\/projects\/\{\w+\}(?:\/environments\/\{\w+\})?)\/(\w+)$/.exec(operation.path) ?? []
  const all = lists.find(each => each.path === `/api/${name}` && each.named && 'under' in each.named)
  // Environments exist only directly in projects.
  const areDeeper = lists.some(each => each.path !== operation.path && each.path.startsWith(`${node}/`))
  if (node === undefined || !all || !areDeeper) return undefined
  return { path: all.path, node: path.replace(/^\/api/, '').replace(/\/\w+$/, '') }
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
  if (records.length === 0 && terminal.format === 'table') terminal.say(`No ${plural(kind.type)} found.`)
  if (more && !options.all) terminal.say(`Showing the first ${records.length}. Use --all for every record.`)
}

/** Whether later pages contain earlier records: events and log lines start with the newest page unless sorted. */
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
  if (!document) throw new Error(`${path} returned an empty response`)
  const { data, included } = document
  // --include is used by programs, which need the whole document.
  if (included && options.include && terminal.format !== 'table')
    terminal.write(listText(kind, [data as Resource, ...included], terminal))
  else terminal.write(recordText(kind, data as Resource, terminal))
}
