import { join, type Sql, sql } from '#platform/db/sql.ts'
import { type Branch, namedOnly, segmentsOf } from './decide.ts'

/** The columns that hold a record's project and path. */
export interface Placed {
  projectId: Sql
  path: Sql
}

/**
 * "The caller may read it" as a condition over a record's columns: the same decision as `decide(root, 'read', path)`,
 * in a form that indexes serve, so that rights are applied before the limit of a list and not to each row of a table.
 * Null, which a where clause takes as false, for records without a path.
 */
export function visibleTo(root: Branch, record: Placed): Sql<boolean> {
  const condition = speaksOfStars(root) ? byPriority(root, record) : byRegions(root, record)
  return condition as Sql<boolean>
}

/**
 * Without `*`, rules make regions that lie one inside the other: allowed but for what is denied in it, but for what is
 * allowed in that. Whole projects, the common case, are one comparison.
 */
function byRegions(root: Branch, record: Placed): Sql {
  const regions = allowedRegions(root)
  const isWhole = (region: Branch) => projectOf(region.path) === region.path && flips(region, true).length === 0
  const whole = regions.filter(isWhole)
  const within = regions.filter(region => !isWhole(region) && projectOf(region.path))
  const elsewhere = regions.filter(region => !projectOf(region.path))
  const said = (region: Branch) => inRegion(region, true, record)
  return or([
    ...(whole.length > 0 ? [inProjectsOf(whole, record)] : []),
    ...(within.length > 0 ? [and([inProjectsOf(within, record), or(within.map(said))])] : []),
    ...elsewhere.map(said),
  ])
}

/** Where the decision for reading first becomes "allow", coming from the root. */
const allowedRegions = (root: Branch): Branch[] => (root.says.read ? [root] : flips(root, false))

/** The nearest branches beneath where the decision differs from the one above them. */
function flips({ literal }: Branch, decision: boolean): Branch[] {
  return [...literal.values()].flatMap(next =>
    (next.says.read ?? decision) === decision ? flips(next, decision) : [next],
  )
}

function inRegion(region: Branch, decision: boolean, record: Placed): Sql {
  const except = flips(region, decision).map(flip => inRegion(flip, !decision, record))
  return and([beneath(region.path, record.path), ...(except.length > 0 ? [sql`not ${or(except)}`] : [])])
}

/**
 * With `*` regions overlap, and the first that matches decides: the longest, then the more literal. Where nothing outside
 * certain projects is allowed, that is said as well, for the indexes.
 */
function byPriority(root: Branch, record: Placed): Sql {
  const rules = inPriority(root).filter(({ says }) => says.read !== undefined)
  const allowed = rules.filter(({ says }) => says.read)
  if (allowed.length === 0) return sql`false`
  const cases = rules.map(({ path, says }) => sql`when ${matches(path, record.path)} then ${sql.lit(says.read)}`)
  const decision = sql`case ${join(cases, ' ')} else false end`
  return allowed.every(({ path }) => projectOf(path)) ? and([inProjectsOf(allowed, record), decision]) : decision
}

const speaksOfStars = ({ literal, star }: Branch): boolean => !!star || [...literal.values()].some(speaksOfStars)

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
function beneath(path: string, column: Sql): Sql {
  if (path === '/') return sql`true`
  return sql`(${column} = ${path} or (${column} >= ${`${path}/`} and ${column} < ${`${path}0`}))`
}

function matches(path: string, column: Sql): Sql {
  const segments = segmentsOf(path)
  if (!segments.includes('*')) return beneath(path, column)
  const any = (at: number) => (at === 0 ? `(?!${namedOnly}(/|$))[^/]+` : '[^/]+')
  const pattern = segments.map((segment, at) => (segment === '*' ? any(at) : literally(segment)))
  return sql`${column} ~ ${`^/${pattern.join('/')}(/|$)`}`
}

const literally = (segment: string) => segment.replace(/[^\p{L}\p{N}_-]/gu, '\\$&')

/** The path of the one project that a rule's path lies in, if it names one. */
const projectOf = (path: string): string | undefined => /^\/projects\/(?!\*(?:\/|$))[^/]+/.exec(path)?.[0]

/**
 * Narrows to projects, because every listed table has an index that begins with project_id. Ids are looked up by the
 * statement that uses them, once: a project that is destroyed or made meanwhile is seen as it is. One project is a plain
 * equality, which keeps the order of an index on (project_id, created_at, id).
 */
function inProjectsOf(regions: readonly Branch[], { projectId }: Placed): Sql {
  const paths = [...new Set(regions.map(({ path }) => projectOf(path)!))]
  const ids = (chosen: Sql) => sql`
    select granted.id from nodes granted where granted.path = ${chosen} and granted.destroyed_at is null`
  if (paths.length === 1) return sql`${projectId} = (${ids(sql`${paths[0]}`)})`
  return sql`${projectId} = any(array(${ids(sql`any(${paths}::text[])`)}))`
}

const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 1 ? conditions[0]! : sql`(${join(conditions, ' and ')})`
const or = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`
