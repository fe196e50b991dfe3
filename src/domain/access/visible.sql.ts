import { join, type Sql, sql } from '#platform/db/sql.ts'
import { type Branch, namedOnly, segmentsOf } from './decide.ts'

/** The columns that hold a record's project and path. */
export interface Placed {
  projectId: Sql
  path: Sql
}

/**
 * Maximum number of regions that are compared one by one, and of projects that are each read by an index of their own.
 */
const fewRegions = 64

/**
 * "The caller may read it" as a condition over a record's columns: the same decision as `decide(root, 'read', path)`,
 * in a form that indexes serve, so that rights are applied before the limit of a list and not to each row of a table.
 * Null, which a where clause treats as false, for records without a path.
 */
export function visibleTo(root: Branch, record: Placed): Sql<boolean> {
  return (isDecidedInSets(root) ? byPriority(root, record) : byRegions(root, record)) as Sql<boolean>
}

/** Whether there are wildcards, or many regions. */
export function isDecidedInSets(root: Branch): boolean {
  const known = inSets.get(root) ?? (speaksOfStars(root) || countOf(root) > fewRegions)
  inSets.set(root, known)
  return known
}

/** Results of `isDecidedInSets` by rules: a list needs the same rights for each kind of record that it shows. */
const inSets = new WeakMap<Branch, boolean>()

/** Whether reading is not limited to a few projects. */
export const readsAnywhere = (root: Branch): boolean => projectsReadable(root) === undefined

/** Selects the ids of the projects outside of which nothing can be read, if these are several and few. */
export function fewProjects(root: Branch): Sql<{ id: string }> | undefined {
  const paths = projectsReadable(root)
  return paths && paths.length > 1 ? (idsOf(paths) as Sql<{ id: string }>) : undefined
}

/** The paths of the projects outside of which nothing can be read; undefined if these are many, or unknown. */
function projectsReadable(root: Branch): readonly string[] | undefined {
  const allowed = inPriority(root).filter(({ says }) => says.read)
  const projects = new Set(allowed.map(({ path }) => projectOf(path)))
  return projects.has(undefined) || projects.size > fewRegions ? undefined : ([...projects] as string[])
}

/**
 * Condition for rules without `*`, which make nested regions: allowed, except for denied regions in it, except for
 * allowed regions in those. Whole projects, the common case, are one comparison.
 */
function byRegions(root: Branch, record: Placed): Sql {
  const regions = allowedRegions(root)
  const isWhole = (region: Branch) => projectOf(region.path) === region.path && flips(region, true).length === 0
  const whole = regions.filter(isWhole)
  const within = regions.filter(region => !isWhole(region) && projectOf(region.path))
  const elsewhere = regions.filter(region => !projectOf(region.path))
  const said = (region: Branch) => inRegion(region, true, record)
  return or([
    ...(whole.length > 0 ? [inProjects(projectsOf(whole), record)] : []),
    ...(within.length > 0 ? [and([inProjects(projectsOf(within), record), or(within.map(said))])] : []),
    ...elsewhere.map(said),
  ])
}

/** Regions in which the decision for reading first becomes "allow", coming from the root. */
const allowedRegions = (root: Branch): Branch[] => (root.says.read ? [root] : flips(root, false))

/** Nearest branches below with another decision than the one above them. */
function flips({ literal }: Branch, decision: boolean): Branch[] {
  return [...literal.values()].flatMap(next =>
    (next.says.read ?? decision) === decision ? flips(next, decision) : [next],
  )
}

function inRegion(region: Branch, decision: boolean, record: Placed): Sql {
  const except = flips(region, decision).map(flip => inRegion(flip, !decision, record))
  return and([isBelow(region.path, record.path), ...(except.length > 0 ? [sql`not ${or(except)}`] : [])])
}

/** The regions of all depths. */
function countOf(root: Branch): number {
  const belowThem = (region: Branch, decision: boolean): number =>
    flips(region, decision).reduce((sum, flip) => sum + 1 + belowThem(flip, !decision), 0)
  return belowThem(root, root.says.read ?? false)
}

/**
 * Condition for rules with `*`: regions overlap, and the first that matches decides: the longest, then the more
 * literal. Literal paths of one length are a set, in which PostgreSQL looks the beginning of the path up, so this is
 * also the form for thousands of rules. If nothing outside certain projects is allowed, the condition includes that
 * too, for the indexes.
 */
function byPriority(root: Branch, record: Placed): Sql {
  const { cases, projects } = prioritiesOf(root)
  if (!cases.some(({ decision }) => decision)) return sql`false`
  const said = cases.map(each => sql`when ${holds(each, record)} then ${sql.lit(each.decision)}`)
  const decision = sql`case ${join([...noneAllows(cases, record), ...said], ' ')} else false end`
  return projects ? and([inProjects(projects, record), decision]) : decision
}

const holds = (each: Case, { path }: Placed): Sql => (each.star ? matches(each.star, path) : isBelowAny(each, path))

/** Maximum number of allowing cases to check first; they are evaluated twice if one of them holds. */
const fewAllowed = 4

/**
 * Case for records that no rule allows, checked first if only a few rules allow anything. The longest rules usually
 * deny a little of what is allowed, and most records of a list that skips many are then decided by one segment. It is
 * within the same expression, because PostgreSQL would assume that a separate condition holds for hardly any record.
 */
function noneAllows(cases: readonly Case[], record: Placed): Sql[] {
  const allowing = cases.filter(({ decision }) => decision)
  const isQuick = allowing.every(({ star, paths }) => star || paths.length <= fewCompared)
  if (cases[0]!.decision || allowing.length > fewAllowed || !isQuick) return []
  return [sql`when not ${or(allowing.map(each => holds(each, record)))} then false`]
}

/** Paths of one length that have the same decision, or one with wildcards. */
interface Case {
  readonly decision: boolean
  readonly paths: readonly string[]
  /** The segments that all of them have in one place; undefined where they differ. */
  readonly agreed: readonly (string | undefined)[]
  /** Joined segments that differ, as they are looked up: one for each path. */
  readonly keys: readonly string[]
  readonly star: string | undefined
}

interface Priorities {
  readonly cases: readonly Case[]
  readonly projects: readonly string[] | undefined
}

const priorities = new WeakMap<Branch, Priorities>()

function prioritiesOf(root: Branch): Priorities {
  const known = priorities.get(root) ?? { cases: casesOf(root), projects: projectsReadable(root) }
  priorities.set(root, known)
  return known
}

function casesOf(root: Branch): Case[] {
  const rules = inPriority(root).filter(({ says }) => says.read !== undefined)
  const lengthOf = ({ path }: Branch) => segmentsOf(path).length
  return [...Map.groupBy(rules, lengthOf).values()].flatMap(ofLength => {
    const literal = ofLength.filter(({ path }) => !hasStar(path))
    const sets = [true, false].map(decision => {
      const paths = literal.filter(({ says }) => says.read === decision).map(({ path }) => path)
      return { decision, paths, ...lookedUp(paths.map(segmentsOf)), star: undefined }
    })
    const stars = ofLength.filter(({ path }) => hasStar(path))
    return [
      ...sets.filter(({ paths }) => paths.length > 0),
      ...stars.map(({ path, says }) => ({ decision: says.read!, paths: [], agreed: [], keys: [], star: path })),
    ]
  })
}

function lookedUp([first = [], ...others]: readonly (readonly string[])[]): Pick<Case, 'agreed' | 'keys'> {
  const agreed = first.map((segment, at) => (others.every(path => path[at] === segment) ? segment : undefined))
  const keyOf = (path: readonly string[]) => path.filter((_, at) => agreed[at] === undefined).join('/')
  return { agreed, keys: [first, ...others].map(keyOf) }
}

const speaksOfStars = ({ literal, star }: Branch): boolean => !!star || [...literal.values()].some(speaksOfStars)

const hasStar = (path: string): boolean => segmentsOf(path).includes('*')

/** All branches, the longest first; of one length those first whose first differing segment is a literal. */
function inPriority(root: Branch): Branch[] {
  const byLength: Branch[][] = []
  for (let level = [root]; level.length > 0; ) {
    byLength.unshift(level)
    level = level.flatMap(({ literal, star }) => [...literal.values(), ...(star ? [star] : [])])
  }
  return byLength.flat()
}

/** The path itself and everything under it by whole segments: '0' is the character after '/'. Needs collate "C". */
function isBelow(path: string, column: Sql): Sql {
  if (path === '/') return sql`true`
  return sql`(${column} = ${path} or (${column} >= ${`${path}/`} and ${column} < ${`${path}0`}))`
}

const fewCompared = 8

/**
 * Whether a column is below any of these paths: many are looked up by hash, which a plan for their values uses. Common
 * segments are compared before, in reverse: hundreds of rules are mostly about one place in hundreds of projects.
 */
function isBelowAny({ paths, agreed, keys }: Case, column: Sql): Sql {
  if (paths.length <= fewCompared) return or(paths.map(path => isBelow(path, column)))
  const segments = agreed.map((segment, at) => ({ segment, is: segmentOf(column, at) }))
  const differing = segments.filter(({ segment }) => segment === undefined).map(({ is }) => is)
  return and([
    ...segments.toReversed().flatMap(({ segment, is }) => (segment === undefined ? [] : [sql`${is} = ${segment}`])),
    sql`${join(differing, ` || '/' || `)} = any(${arrayOf(keys)})`,
  ])
}

/**
 * Segment by segment: a regular expression over the whole path takes six times as long, for each record that is
 * skipped. The last literal comes first, because it is where most records differ.
 */
function matches(path: string, column: Sql): Sql {
  const segments = segmentsOf(path).map((segment, at) => ({ segment, at, is: segmentOf(column, at) }))
  const literal = segments.filter(({ segment }) => segment !== '*').toReversed()
  const first = segments[0]!
  const last = segments.at(-1)!
  return and([
    ...literal.map(({ segment, is }) => sql`${is} = ${segment}`),
    ...(first.segment === '*' ? [sql`${first.is} <> ${namedOnly}`] : []),
    // Where the last segment is there, those before it are.
    ...(last.segment === '*' ? [sql`${last.is} <> ''`] : []),
  ])
}

const segmentOf = (column: Sql, at: number): Sql => sql`split_part(${column}, '/', ${sql.lit(at + 2)})`

/** The path of the one project of a rule's path, if it names one. */
const projectOf = (path: string): string | undefined => /^\/projects\/(?!\*(?:\/|$))[^/]+/.exec(path)?.[0]

const projectsOf = (regions: readonly Branch[]): string[] => [...new Set(regions.map(({ path }) => projectOf(path)!))]

/**
 * Limits the condition to projects, because every listed table has an index that begins with project_id. Ids are looked
 * up by the statement that uses them, once: a project that is destroyed or created meanwhile is seen as it is. One
 * project is a plain equality, which keeps the order of an index on (project_id, created_at, id).
 */
function inProjects(paths: readonly string[], { projectId }: Placed): Sql {
  return paths.length === 1 ? sql`${projectId} = (${idsOf(paths)})` : sql`${projectId} = any(array(${idsOf(paths)}))`
}

const idsOf = (paths: readonly string[]): Sql => sql`
  select granted.id from nodes granted
   where granted.path = ${paths.length === 1 ? sql`${paths[0]}` : sql`any(${arrayOf(paths)})`} and granted.destroyed_at is null`

/** Array as PostgreSQL reads it, serialized once: each list compares with thousands of paths of the same rights. */
function arrayOf(texts: readonly string[]): Sql {
  const known = written.get(texts) ?? `{${texts.map(text => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
  written.set(texts, known)
  return sql`${known}::text[]`
}

const written = new WeakMap<readonly string[], string>()

const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 1 ? conditions[0]! : sql`(${join(conditions, ' and ')})`
const or = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`
