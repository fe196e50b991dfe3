import type { Skew } from './skew.ts'
import { assetsOfProject, cities, oldProjects, services, templateCodes, tiers } from './tree.ts'

interface Tree {
  readonly projects: number
  /** Path of an environment that the caller may read. */
  readonly home: string
}

/** A list that operators request all day: its purpose, and the request; a different one for each number. */
export interface NamedList {
  readonly what: string
  readonly path: (round: number, tree: Tree) => string
  /** List written by hand, for a superuser: the ids of its records. `$1`… are `values`. */
  readonly byHand: (round: number, tree: Tree) => { text: string; values: readonly string[] }
}

const asset = `n.node_type = 'asset' and n.destroyed_at is null`
const newest = 'order by n.created_at desc, n.id desc limit 101'
const select = (condition: string, order = newest) => `select n.id from nodes n where ${asset}${condition} ${order}`
const query = (parameters: Readonly<Record<string, string>>) => `/api/assets?${new URLSearchParams(parameters)}`
const some = <T>(list: readonly T[], round: number): T => list[round % list.length]!

const dayOf = (round: number, hour: number) =>
  new Date(Date.now() - (round % 300) * 86_400_000 - (12 - hour) * 3_600_000).toISOString().replace('Z', '000Z')

/** Names of assets begin with a service and a tier, and end with a place. */
const beginning = (round: number) =>
  `${some(services, round)} ${some(tiers, round)} ${1 + (round % (assetsOfProject - 1))}`
const place = (round: number) => `${some(cities, round)} ${100 + (round % 400)}`

export const namedLists: Readonly<Record<string, NamedList>> = {
  newest: {
    what: 'what was made last',
    path: () => '/api/assets',
    byHand: () => ({ text: select(''), values: [] }),
  },
  'by-name': {
    what: 'all, by name',
    path: () => query({ 'filter[sorts]': 'name asc' }),
    byHand: () => ({ text: select('', 'order by n.name, n.id limit 101'), values: [] }),
  },
  'changed-last': {
    what: 'what changed last',
    path: () => query({ 'filter[sorts]': 'updated_at desc' }),
    byHand: () => ({ text: select('', 'order by n.updated_at desc, n.id desc limit 101'), values: [] }),
  },
  'of-name': {
    what: 'those of one name',
    path: (round, tree) => query({ 'filter[name_eq]': exactName(round, tree) }),
    byHand: (round, tree) => ({ text: select(' and n.name = $1'), values: [exactName(round, tree)] }),
  },
  'name-begins': {
    what: 'those whose name begins so, by name',
    path: round => query({ 'filter[name_start]': beginning(round), 'filter[sorts]': 'name' }),
    byHand: round => ({
      text: select(
        ` and lower(n.name collate "und-x-icu") collate "C" ^@ lower($1::text collate "und-x-icu") collate "C"`,
        'order by n.name, n.id limit 101',
      ),
      values: [beginning(round)],
    }),
  },
  'name-contains': {
    what: 'those with a word in their name',
    path: round => query({ 'filter[name_cont]': place(round).toLowerCase() }),
    byHand: round => ({
      text: select(` and lower(n.name collate "und-x-icu") like lower($1::text collate "und-x-icu")`),
      values: [`%${place(round)}%`],
    }),
  },
  archived: {
    what: 'what is archived',
    path: () => query({ 'filter[archived_eq]': 'true' }),
    byHand: () => ({ text: select(' and n.archived'), values: [] }),
  },
  'of-template': {
    what: 'those that are made from one template',
    path: round => query({ 'filter[template_code_eq]': some(templateCodes, round) }),
    byHand: round => ({
      text: select(' and n.template_code = $1'),
      values: [some(templateCodes, round)],
    }),
  },
  mine: {
    what: 'what the caller made',
    path: () => query({ 'filter[mine]': 'true' }),
    byHand: () => ({ text: select(` and n.user_id = (select id from users where username = 'admin')`), values: [] }),
  },
  'changed-in-an-hour': {
    what: 'what changed between two times',
    path: round => query({ 'filter[updated_at_gteq]': dayOf(round, 9), 'filter[updated_at_lt]': dayOf(round, 10) }),
    byHand: round => ({
      text: select(' and n.updated_at >= $1::timestamptz and n.updated_at < $2::timestamptz'),
      values: [dayOf(round, 9), dayOf(round, 10)],
    }),
  },
  'either-of-two': {
    what: 'those of one name or of one code',
    path: (round, tree) =>
      query({
        'filter[name_eq]': exactName(round, tree),
        'filter[code_eq]': 'no-such-code',
        'filter[m]': 'or',
      }),
    byHand: (round, tree) => ({
      text: select(` and (n.name = $1 or n.code = 'no-such-code')`),
      values: [exactName(round, tree)],
    }),
  },
  'of-environment': {
    what: 'those of one environment, with their number',
    path: (_, { home }) => `/api${home}/assets?total=true`,
    byHand: (_, { home }) => ({
      text: select(` and n.parent_id = (select id from nodes where path = $1 and destroyed_at is null)`),
      values: [home],
    }),
  },
}

/** Name that the tree gives the asset of this age in this project. */
function exactName(round: number, { projects }: Tree): string {
  const project = oldProjects + ((round * 997) % (projects - oldProjects))
  const age = round % assetsOfProject
  return `${some(services, project * 31 + age)} ${some(tiers, age)} ${age} ${some(cities, project * 7 + age * 3)} ${project % 500}`
}

/**
 * Lists whose statistics mislead: a few parents have thousands of children. Their plans are the service's own, before the
 * sixth execution of a statement and after it.
 */
export const skewedLists = ({ wideChange, wideRun }: Skew): Readonly<Record<string, string>> => ({
  'steps-of-wide-change': `/api/changes/${wideChange}/steps?limit=100`,
  'steps-of-wide-change, 1,000': `/api/changes/${wideChange}/steps?limit=1000`,
  steps: '/api/steps?limit=50',
  'steps-of-wide-run': `/api/workflow_runs/${wideRun}/steps?limit=100`,
  'workflow-steps': '/api/workflow_steps?limit=50',
  projects: '/api/projects?limit=50',
  environments: '/api/environments?limit=50',
})

/** Lists without a suitable index: they may be slow, but never take longer than the time limit of lists. */
export const unservedLists: Readonly<Record<string, string>> = {
  'by-description': query({ 'filter[sorts]': 'description' }),
  'description-contains': query({ 'filter[description_cont]': 'rack 976, row 99' }),
  'name-of-two-letters': query({ 'filter[name_end]': ' 7' }),
  'not-containing': query({ 'filter[name_not_cont]': 'a' }),
  'by-who-made-it': query({ 'filter[sorts]': 'created_by' }),
}
