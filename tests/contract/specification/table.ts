/**
 * The specification's tables as data: names, kinds, limits, statuses and paths, and nothing else. What stands here is what
 * is promised, never what the code happens to do; `tests/service/specification.db.test.ts` asks the assembled service for
 * every row.
 */

/** What an attribute's value is: `?` may be null, `time` is ISO 8601 UTC with microseconds, `sha` 40 hexadecimal digits. */
export type ValueKind =
  | 'text'
  | 'text?'
  | 'integer'
  | 'integer?'
  | 'boolean'
  | 'boolean?'
  | 'time'
  | 'time?'
  | 'sha'
  | 'sha?'
  | 'uuid'
  | 'object'
  | 'object?'
  | 'array'
  | 'any'

/** Where rows belong that this part of the product does not answer yet. */
export type LaterPart = 'agents' | 'notifications' | 'administration'

export interface RelationshipTable {
  readonly to: 'one' | 'one?' | 'many'
  /** The type that it points at; 'any' where it differs. */
  readonly type: string
  /** The path of `links.related`; `{…}` as in links. */
  readonly related?: string
}

/** One type of record, or one form of it (a project of type Standard). */
export interface ResourceTable {
  /** Names the rows: `asset.link.bookmarks`. */
  readonly name: string
  readonly type: string
  readonly attributes: Readonly<Record<string, ValueKind>>
  /** Attributes that lists leave out, and that are neither filtered nor sorted by. */
  readonly showOnly?: readonly string[]
  /** Attributes that are encrypted or hidden: neither filtered nor sorted by. */
  readonly encrypted?: readonly string[]
  /** Where lists do not sort by every attribute: those that they do. */
  readonly sorted?: readonly string[]
  /** Attributes that differ from record to record are allowed beside these. */
  readonly open?: true
  readonly relationships?: Readonly<Record<string, RelationshipTable>>
  /**
   * Name → path. `{self}` is the record's own path, `{parent}` that of the node above, `{project}` its project's,
   * `{id}` its id, `{related:x}` the id in the relationship x, `*` anything that answers.
   */
  readonly links: Readonly<Record<string, string>>
  /** Links, relationships and attributes that the record must not have. */
  readonly absent?: readonly string[]
  /** Lists beneath it that its kind does not have: 404, and 409 to whoever would make one there. */
  readonly lacks?: readonly string[]
  /** Name → exact value in `meta`, `any` for what differs. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** Area → flags in `meta.authorisations`: these areas and no others. */
  readonly authorisations?: Readonly<Record<string, readonly string[]>>
  /** Types that a show includes by itself. */
  readonly included?: readonly string[]
  /** `attribute.x`, `link.x`, `relationship.x`: rows that another part of the product brings. */
  readonly later?: Readonly<Record<string, LaterPart>>
}

/** Method, path (`{node}`: each shape of node path), attributes of its body (`*` required, several words) and its part. */
export interface EndpointTable {
  readonly about: string
  readonly endpoints: readonly (readonly [method: string, path: string, body?: string])[]
  readonly later?: LaterPart
}
