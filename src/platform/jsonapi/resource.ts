import type { TSchema } from 'typebox'
import type { Actor, Rights } from '../actor.ts'
import type { Queries } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'
import type { Query } from './query-string.ts'

/**
 * Kind of a column's values, which determines its predicates, parsing of filter values and sorting: json = arrays and
 * objects (eq, cont, null on canonical text; no sorting), opaque = encrypted (no filter, no sort).
 */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'id' | 'json' | 'opaque'

export interface Column {
  readonly kind: Kind
  /** The value, over the aliases of the resource's `from`. Text compared in lists is `collate "C"` in its table. */
  readonly sql: Sql
  /** One sentence for the documentation. */
  readonly describe: string
  /** Whether it is shown on single records only, and cannot be listed, filtered or sorted by. */
  readonly showOnly?: true
  readonly nullable?: true
  /** Possible values, if they are fixed: filters refuse any other value. */
  readonly values?: readonly string[]
  /** Whether its SQL uses the resource's `joins`. */
  readonly joined?: true
  /** Schema for the OpenAPI document; default: derived from kind and nullable. */
  readonly schema?: TSchema
  /** Converts the database's value to the response's: decrypting, hiding, parsing. Default: unchanged. */
  readonly read?: (value: unknown, reader: Reader, row: Row) => unknown | Promise<unknown>
  /** Size of the shown value in bytes, if the database's value does not show it: sealed values may be compressed. */
  readonly bytes?: (value: unknown, row: Row) => number
  /** Whether a row has the attribute; otherwise the attribute is absent. */
  readonly when?: (row: Row) => boolean
  /**
   * Whether the text may contain a number (attributes of events): lt, lteq, gt and gteq then compare as numbers if both
   * are.
   */
  readonly asNumbers?: true
  /**
   * Whether indexes can search for parts of the text: an index of trigrams (`lower(… collate "und-x-icu")
   * gin_trgm_ops`), and for beginnings, where it exists, one of the same expression in bytewise order.
   */
  readonly trigrams?: true
  /**
   * Text of any length: output of a user's program, metadata, a description without a limit. It is searched in pieces.
   */
  readonly long?: true
  /**
   * Whether an index can search for beginnings of the text, in lower case (`lower(… collate "und-x-icu") collate "C"`).
   */
  readonly beginnings?: true
  /** Condition for `eq` and `in`, if an index serves another condition than `=` better (containment in a document). */
  readonly equals?: (value: unknown) => Sql<boolean>
  /**
   * Value of a column that is not an attribute under its own name, computed from the record as lists show it; null if
   * it has none.
   */
  readonly inMemory?: (record: Readonly<Record<string, unknown>>) => MemoryValue
}

/** A value for predicates in memory; `equal` is what `eq` and `in` compare, where `equals` finds fewer values. */
export interface MemoryValue {
  readonly value: string | null
  readonly equal: string | null
}

/** One record as the SELECT gives it: each column, relationship and extra under its own name. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string }

/** Caller of a read, and its dependencies. */
export interface Reader {
  readonly actor: Actor
  readonly database: Queries
}

export interface Identifier {
  readonly type: string
  readonly id: string
}

export type Relationship = RelationshipFace &
  (
    | {
        /**
         * Selection of the related id: uuid (one) or uuid[] (many); with type 'any': jsonb {"id","type"} or an array of
         * them.
         */
        readonly sql: Sql
        /**
         * Selection for a caller with restricted rights, in a relationship that may refer to very many records: it
         * returns as many of those that the caller may read. Both select one more than `mostRelated`, which shows
         * whether there are more.
         */
        readonly bounded?: (rights: Rights) => Sql
      }
    | {
        /** Related records that are known from the row's columns and extras, without a lookup. */
        readonly known: (row: Row) => readonly Identifier[]
      }
  )

/** Maximum number of records named by a relationship that may refer to very many; the list of them has all. */
export const mostRelated = 1_000

interface RelationshipFace {
  readonly kind: 'one' | 'many'
  /** The type of the related records; 'any' if they differ. */
  readonly type: string
  readonly describe: string
  /**
   * Paths of the rights to read each of the named records, if the row contains them: then no lookup of the records is
   * necessary. `own`: readers of the record may read them.
   */
  readonly paths?: 'own' | ((row: Row, named: readonly Identifier[]) => readonly string[])
  /** @param id of the related record, if it is a single one and exists */
  readonly related?: (row: Row, id: string | undefined) => string | undefined
  /** Name of that link if it is not `related` (the source of an event). */
  readonly linkName?: string
  readonly when?: (row: Row) => boolean
  readonly showOnly?: true
}

/** Record of a path parameter: the parent of a list. Found in one statement; missing or unreadable is 404. */
export interface ListRoute {
  /** Path below /api: `/api/projects/:project_code/assets`. */
  readonly path: string
  /** The parent as one row {id, path, project_id, …}, or none; if its path does not name it, a query parameter does. */
  readonly parent?: (
    params: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string | string[]>>,
  ) => Sql<ParentRow>
  /**
   * The rows of this route among all of the resource: a condition over the aliases of `from`. Without `parent` it is
   * given one without id on the path `/`. Booleans of the query arrive as `true` or `false`.
   */
  readonly scope?: (parent: ParentRow, query: Readonly<Record<string, string | string[]>>) => Sql<boolean>
  /** Query parameters of its own, beyond filter, fields, include, limit, page, total, download. */
  readonly parameters?: Readonly<Record<string, { schema: TSchema; describe: string; required?: true }>>
  /** Whether it takes neither filters nor sorts. */
  readonly plain?: true
  /** Attributes that a query excludes, as though `fields` did not name them. */
  readonly without?: (query: Readonly<Record<string, string | string[]>>) => readonly string[]
  /** Relationships that a query changes (`nodes` without the archived ones). */
  readonly otherwise?: (query: Readonly<Record<string, string | string[]>>) => Resource['relationships']
  /** 409 or 404 for a parent that has no such list (the assets of a Standard project). */
  readonly refuse?: (parent: ParentRow, actor: Actor) => Error | undefined
}

export type ParentRow = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly path: string
  readonly project_id: string | null
}

export interface ShowRoute {
  readonly path: string
  readonly find: (params: Readonly<Record<string, string>>) => Sql<boolean>
  readonly parameters?: ListRoute['parameters']
  readonly otherwise?: ListRoute['otherwise']
  /** Members of `meta` that only this route shows, and that need other records than the one shown. */
  readonly furtherMeta?: (row: Row, reader: Reader, query: Query) => Promise<Readonly<Record<string, unknown>>>
}

interface NamedFilter {
  readonly describe: string
  readonly sql: (value: string, actor: Actor) => Sql<boolean>
  /** Query of the index that finds all records for which the filter holds. */
  readonly sought?: (value: string) => IndexRanges
}

/** Ranges of one index, in its order, that contain all matching records. */
export interface IndexRanges {
  readonly order: Sql
  readonly ranges: readonly Sql<boolean>[]
  /** Condition that holds for all of them, by which another index has them in the requested order if there are many. */
  readonly within?: Sql<boolean>
}

/** One type of record in JSON:API: everything that reading it needs, and no I/O of its own. */
export interface Resource {
  readonly type: string
  /**
   * Types of records that share one address (schedules of changes and of workflows): all of them, `type` among them,
   * and which one a row is. `fields` of any of them applies to all. `borrowed`: they are the types of other records,
   * about which the list only reports something (an overview); no row has its own `type`.
   */
  readonly types?: {
    readonly all: readonly string[]
    readonly of: (row: Row) => string
    readonly borrowed?: true
  }
  readonly describe: string
  /** Tables that every list and show reads from: `nodes n join …`. Extensions use its aliases. */
  readonly from: Sql
  /**
   * Further sources of a record's document: at most one row each, by alias (`settings: left join settings s on
   * s.owner_id = t.id`). A list joins them to the records of its page, after it was cut, so that they cost the same
   * however many records there are; only filters and sorts by a `joined` column join them to all.
   */
  readonly joins?: Readonly<Record<string, Sql>>
  /** The uuid of a record: shown, filtered and sorted by as `id`, and the tie-breaker of every order. */
  readonly id: Sql
  /** Rows that exist for anyone: `n.node_type = 'asset' and n.destroyed_at is null`. */
  readonly where?: Sql<boolean>
  readonly lists: readonly ListRoute[]
  readonly shows: readonly ShowRoute[]
  readonly columns: Readonly<Record<string, Column>>
  /** Filters on attributes beyond the columns (events carry whatever was sent): the attribute's name → its column. */
  readonly dynamic?: (name: string) => Column | undefined
  /** Attributes shown in addition to the columns, which take precedence: those that `dynamic` filters by. */
  readonly dynamicAttributes?: (row: Row, reader: Reader) => Readonly<Record<string, unknown>>
  /** Expressions selected for links, meta and `when`, never shown. */
  readonly extra?: Readonly<Record<string, Sql>>
  /** Filters that are no column: `filter[mine]=true`. */
  readonly named?: Readonly<Record<string, NamedFilter>>
  readonly relationships?: Readonly<Record<string, Relationship>>
  readonly links: (row: Row) => Record<string, string>
  readonly meta?: (row: Row, reader: Reader) => Record<string, unknown> | undefined
  /** Names of the relationships that a show includes unless `include` overrides them. */
  readonly included?: readonly string[]
  /**
   * Tie-breaker in place of the id, where an id is expensive to compute: attributes or extras, none of them null, whose
   * combination is unique.
   */
  readonly key?: Readonly<Record<string, Column>>
  /** Default sort; id is added. Default `created_at desc`. */
  readonly defaultSort?: readonly { column: string; direction: 'asc' | 'desc' }[]
  /**
   * 'newest last': `defaultSort` is newest first, but the newest `limit` records are listed oldest first (events, log
   * lines).
   */
  readonly order?: 'newest last'
  readonly limit?: { readonly default: number; readonly maximum: number }
  /**
   * Whether a record may have megabytes: pages then end early (`fetchPage`), and the number of included records is
   * limited. `seldom`: hardly any record is large, and a page of the usual size is fetched at once.
   */
  readonly large?: true | 'seldom'
  /**
   * Conditions for resources that store many records in one row: they exclude rows that cannot contain a record of the
   * page, so that these need not be decoded. They use the aliases of `from`.
   */
  readonly within?: (page: PageSought) => readonly Sql<boolean>[]
  /** Reads a page of these without SQL of single records; undefined for pages that it cannot read like that. */
  readonly readPage?: (page: PageSought, queries: Queries) => Promise<Page> | undefined
  /**
   * The attribute that makes the lines of the list's plain-text form (`text/plain`); lists without one have no such
   * form.
   */
  readonly plainText?: string
  /**
   * Reads the next lines of the plain-text form without building records, oldest first; undefined for lists that it
   * cannot read like that. If there are more lines, `next` is the position of the last one.
   */
  readonly readText?: (page: TextSought, queries: Queries) => Promise<TextPage> | undefined
  /**
   * Rights on a record: read on `path`, and `furtherCondition` one more condition of these rights. Or a condition of its own
   * (tokens: the caller's). Or, for a fixed endpoint, read on one path for all of them, without which it responds with
   * 403.
   */
  readonly rights:
    | { projectId: Sql; path: Sql; furtherCondition?: (rights: Rights) => Sql<boolean> | undefined }
    | { condition: (actor: Actor) => Sql<boolean> }
    | { fixed: string }
  /**
   * Path of meta.authorisations {update, delete} of a list; default that of fixed rights, or the parent's path and the
   * list's name, without a parent `/`.
   */
  readonly listRightsPath?: (parent: ParentRow | undefined) => string
  readonly rowVersion?: Sql<number>
}

/** The page that a list is about to read. */
export interface PageSought {
  readonly sorts: readonly Sort[]
  readonly after: Position | undefined
  /** Maximum number of records; one more is read to show whether there are more. */
  readonly size: number
  /** Conditions that hold for all records of the list, before any filter. */
  readonly among: readonly Sql<boolean>[]
  /** Filters that must hold too; absent if filters are combined by *or*. */
  readonly filters: readonly FilterPart[] | undefined
  /** The rights of a caller who may read a few projects only, in a list over all of them. */
  readonly inFewProjects: Rights | undefined
}

/** The lines of a plain-text download that are about to be read: in this order, behind this position. */
export type TextSought = Omit<PageSought, 'size'>

export interface TextPage {
  /** Text of whole lines, each with its line feed. */
  readonly text: string
  /** Position of the last line; absent at the end of the list. */
  readonly next?: Position
}

/**
 * Extension that a domain adds to a resource of a folder to its left, so that a node's document has its template and
 * tasks although `nodes` knows neither. Joined in main/domains.ts; two definitions of one name fail the contract test.
 */
export interface Extension {
  readonly joins?: Resource['joins']
  readonly columns?: Resource['columns']
  readonly extra?: Resource['extra']
  readonly named?: Resource['named']
  readonly relationships?: Resource['relationships']
  readonly links?: (row: Row) => Record<string, string | undefined>
  readonly meta?: (row: Row, reader: Reader) => Record<string, unknown> | undefined
  readonly included?: readonly string[]
}

/** One part of the order. The last one is always the id, so that the order is total. */
export interface Sort {
  readonly name: string
  readonly column: Column
  readonly direction: 'asc' | 'desc'
}

/** One filter of a list, checked. */
export interface FilterPart {
  readonly condition: Sql<boolean>
  /** Whether it searches for a part of a text that an index of trigrams can find. */
  readonly byTrigrams?: boolean
  /** Present if an index finds all matching records, in an order other than the requested one. */
  readonly sought?: IndexRanges | undefined
  /** Whether it searches for a beginning that is in an index together with the text. */
  readonly byBeginning?: boolean
  /** The texts that it looks for in another. */
  readonly searches?: readonly string[] | undefined
  /** Whether it selects nearly all records. */
  readonly broad?: boolean
  /** Comparison that the filter makes; absent if it is not about an attribute. */
  readonly compares?: { readonly attribute: string; readonly predicate: string; readonly value: string | string[] }
  /** Evaluates the filter in memory. Absent for named filters. */
  readonly holds?: (record: Readonly<Record<string, unknown>>) => boolean
}

export interface Page {
  readonly rows: readonly Row[]
  /** Whether there are more. */
  readonly cut: boolean
}

/** The values of the sorts at a record, as text; the last is its id. */
export type Position = readonly (string | null)[]
