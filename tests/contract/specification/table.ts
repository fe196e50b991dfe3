/**
 * The specification's tables as data: names, kinds, limits, statuses and paths, and nothing else. They contain what is
 * promised, never what the code happens to do; `tests/service/specification.db.test.ts` checks every row on the
 * assembled service.
 */

/**
 * Kind of an attribute's value: `?` may be null, `time` is ISO 8601 UTC with microseconds, `sha` 40 hexadecimal digits.
 */
export type ValueKind =
  | 'text'
  | 'text?'
  | 'integer'
  | 'integer?'
  | 'number?'
  | 'boolean'
  | 'boolean?'
  | 'time'
  | 'time?'
  | 'sha'
  | 'sha?'
  | 'uuid'
  | 'uuid?'
  | 'object'
  | 'object?'
  | 'array'
  | 'any'

/** Parts for rows that are not implemented yet. */
export type LaterPart = 'agents' | 'notifications' | 'administration'

export interface RelationshipTable {
  readonly to: 'one' | 'one?' | 'many'
  /** The type of the related records; 'any' if it differs. */
  readonly type: string
  /** The path of `links.related`; `{…}` as in links. */
  readonly related?: string
}

/** One type of record, or one form of it (a project of type Standard). */
export interface ResourceTable {
  /** Prefix of the names of rows: `asset.link.bookmarks`. */
  readonly name: string
  readonly type: string
  readonly attributes: Readonly<Record<string, ValueKind>>
  /** Attributes that lists leave out, and that cannot be filtered or sorted by. */
  readonly showOnly?: readonly string[]
  /** Attributes that are encrypted or hidden: they cannot be filtered or sorted by. */
  readonly encrypted?: readonly string[]
  /** Sortable attributes, if lists do not sort by every attribute. */
  readonly sorted?: readonly string[]
  /** Whether further attributes are allowed, which differ between records. */
  readonly open?: true
  readonly relationships?: Readonly<Record<string, RelationshipTable>>
  /**
   * Name → path. `{self}` is the record's own path, `{parent}` that of the node above, `{project}` its project's,
   * `{id}` its id, `{related:x}` the id in the relationship x, `*` any path with a response.
   */
  readonly links: Readonly<Record<string, string>>
  /** Links, relationships and attributes that the record must not have. */
  readonly absent?: readonly string[]
  /** Lists below it that its kind does not have: 404, and 409 for a create there. */
  readonly lacks?: readonly string[]
  /** Name → exact value in `meta`, `any` for variable ones. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** Area → flags in `meta.authorisations`: exactly these areas. */
  readonly authorisations?: Readonly<Record<string, readonly string[]>>
  /** Types that a show includes by default. */
  readonly included?: readonly string[]
  /** `attribute.x`, `link.x`, `relationship.x`: rows of another part of the product. */
  readonly later?: Readonly<Record<string, LaterPart>>
}

/**
 * Method, path (`{node}`: each shape of node path), attributes of its body (`*` required, several words) and its part.
 */
export interface EndpointTable {
  readonly about: string
  readonly endpoints: readonly (readonly [method: string, path: string, body?: string])[]
  readonly later?: LaterPart
}
