import type { Query, Resource } from '../client/sluice.ts'
import { addressOf } from './address.ts'
import { listText, recordText } from './output.ts'
import { type Place, placeAmong } from './place.ts'
import { type Narrowing, queryFrom } from './query.ts'
import { kindNamed, plural, type RecordKind } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface ListOptions extends Narrowing {
  all?: boolean
  columns?: string
  /** Of the node itself, and not of what lies beneath it. */
  here?: boolean
}

export async function list(
  terminal: Terminal,
  type: string,
  where: readonly string[],
  options: ListOptions,
): Promise<void> {
  const kind = kindNamed(type)
  if (kind.lists.length === 0) throw new WrongUsage(`There is no list of ${plural(kind.type)}: show one by its path.`)
  const place = placeAmong(kind.lists, where, `Where are the ${plural(kind.type)}`)
  const beneath = options.here ? undefined : listBeneath(kind, place)
  if (!beneath) return listAt(terminal, kind, place.path, options)
  if (options.any)
    throw new WrongUsage(
      `With --any the filters are alternatives, and ${beneath.node} would be one of them: add --here for the ${plural(kind.type)} of that node alone.`,
    )
  await listAt(terminal, kind, beneath.path, {
    ...options,
    filter: [...(options.filter ?? []), `under=${beneath.node}`],
  })
}

/**
 * Where the records of a project or an environment are listed together with those of everything beneath it; undefined
 * where nothing lies beneath.
 */
function listBeneath({ lists }: RecordKind, { operation, path }: Place): { path: string; node: string } | undefined {
  const [, node, name] = /^(\/api\/projects\/\{\w+\}(?:\/environments\/\{\w+\})?)\/(\w+)$/.exec(operation.path) ?? []
  const all = lists.find(each => each.path === `/api/${name}` && each.named && 'under' in each.named)
  // Environments lie in projects alone.
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
