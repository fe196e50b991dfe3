import type { Chance } from './chance.ts'

/** Targets of deeds: paths of records by their kind, below /api, including deleted ones. */
export type Known = Map<string, string[]>

export interface Asked {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly attributes?: object
  readonly meta?: object
  /** A body other than attributes in an envelope. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Given {
  readonly chance: Chance
  /** A path of this kind. */
  readonly a: (kind: string) => string
  /** The last part of a path: an id or a code. */
  readonly idOf: (kind: string) => string
}

type Deed = (given: Given) => Omit<Asked, 'method'>
type Row = readonly [method: Asked['method'], weight: number, deed: Deed]

const words = ['Front', 'Back', 'Cafe\u0301', 'x']
const few = ['a', 'b', 'c', 'd']
/** Few, so that values often exist already. */
const text = ({ chance }: Given) => chance.of(words)
const code = ({ chance }: Given) => chance.of(few)
const maybe = <T>({ chance }: Given, name: string, value: T) => (chance.is(0.5) ? { [name]: value } : {})
const flag = ({ chance }: Given) => chance.of([true, false, null])
const password = ({ chance }: Given) => `a long password ${chance.of([1, 2, 3])}`
const rulePaths = ['/projects/bank', '/projects/bank/assets/*', '/events', '/projects/shop']
const rule = (given: Given) => ({
  path: given.chance.of(rulePaths),
  ...maybe(given, 'read', flag(given)),
  ...maybe(given, 'update', flag(given)),
  ...maybe(given, 'name', text(given)),
})
const assignee = ({ chance }: Given) => ({
  username: chance.of(['eve', 'new-a', null]),
  groupname: chance.of(['ops', 'devs']),
})
const yaml = (given: Given) =>
  `steps: [{ type: wait, name: ${given.chance.of(['look', 'ask'])} }, { type: wait, name: ${code(given)} }]`
const some = <T>(given: Given, make: (given: Given) => T): T[] =>
  Array.from({ length: given.chance.of([0, 1, 2]) }, () => make(given))
const change = (given: Given) => ({
  ...maybe(given, 'name', text(given)),
  ...maybe(given, 'description', given.chance.of(['', 'told', null])),
})
const settings = ({ chance }: Given) => ({
  step_timeout_seconds: chance.of([60, 90, null]),
  'runner.idle_timeout': chance.of([10, 20, null]),
})

/** Requests for every writing operation, with weights; some of them will be refused. */
const deeds: readonly Row[] = [
  ['POST', 1, of => ({ path: '/projects', attributes: { code: `p-${code(of)}`, name: text(of) } })],
  [
    'POST',
    2,
    of => ({ path: `${of.a('project')}/environments`, attributes: { code: `e-${code(of)}`, name: text(of) } }),
  ],
  [
    'POST',
    6,
    of => ({
      path: `${of.a(of.chance.of(['project', 'environment']))}/assets`,
      attributes: {
        code: `n-${code(of)}`,
        template_code: 'web',
        template_version: of.chance.of(['1', '2']),
        name: text(of),
        ...change(of),
      },
    }),
  ],
  [
    'PATCH',
    6,
    of => ({
      path: of.a('node'),
      attributes: { ...change(of), ...(of.chance.is(0.3) && { archived: of.chance.is(0.3) }) },
    }),
  ],
  [
    'PATCH',
    4,
    of => ({ path: of.a('asset'), attributes: { ...change(of), template_version: of.chance.of(['1', '2']) } }),
  ],
  ['DELETE', 3, of => ({ path: of.a('node') })],
  ['DELETE', 1, of => ({ path: `${of.a('asset')}?ignore_in_use=true` })],
  [
    'POST',
    3,
    of => ({
      path: `${of.a('node')}/bookmarks`,
      attributes: { description: text(of), url: of.chance.of([null, 'https://a.test']) },
    }),
  ],
  [
    'PATCH',
    3,
    of => ({
      path: of.a('bookmark'),
      attributes: { ...maybe(of, 'description', text(of)), ...maybe(of, 'url', null) },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('bookmark') })],
  [
    'POST',
    1,
    of => ({
      path: `${of.a('project')}/git_remotes`,
      attributes: {
        name: text(of),
        url: 'https://127.0.0.1:1/team/shop.git',
        ...maybe(of, 'password', password(of)),
        archived: true,
      },
    }),
  ],
  [
    'PATCH',
    3,
    of => ({
      path: of.a('git_remote'),
      attributes: {
        ...maybe(of, 'name', text(of)),
        ...maybe(of, 'password', of.chance.of([null, password(of)])),
        ...maybe(of, 'archived', of.chance.is(0.8)),
        ...maybe(of, 'periodic_fetch_interval', of.chance.of([null, 60, 90])),
      },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('git_remote') })],
  [
    'POST',
    1,
    of => ({
      path: '/projects/bank/templates',
      attributes: { code: `t-${code(of)}`, name: text(of), template_type: 'asset', git_remote_name: 'code' },
    }),
  ],
  [
    'PATCH',
    3,
    of => ({
      path: of.a('template'),
      attributes: {
        ...change(of),
        ...maybe(of, 'archived', of.chance.is(0.2)),
        ...maybe(of, 'disabled', of.chance.is(0.2)),
      },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('template') })],
  [
    'PUT',
    4,
    of => ({
      path: `${of.a('template')}/versions/${of.chance.of(['1', '2', 'v 3'])}`,
      attributes: {
        git_rev: 'main',
        ...maybe(of, 'description', of.chance.of(['', 'told', null])),
        ...maybe(of, 'locked', of.chance.is(0.3)),
        ...maybe(of, 'archived', of.chance.is(0.2)),
      },
      ...(of.chance.is(0.3) && { meta: { fetch_revision: true, ignore_in_use: of.chance.is(0.5) } }),
    }),
  ],
  ['DELETE', 1, of => ({ path: `${of.a('template')}/versions/${of.chance.of(['1', '2', 'v 3'])}` })],
  ['POST', 1, of => ({ path: `${of.a('template')}/versions/1/cancel_refresh` })],
  [
    'POST',
    2,
    of => ({
      path: `/projects/bank/templates/web/versions/${of.chance.of(['1', '2'])}/assign_to_assets`,
      attributes: { asset_paths: [of.a('asset')] },
    }),
  ],
  [
    'POST',
    2,
    of => ({
      path: '/projects/bank/workflows',
      attributes: { code: `w-${code(of)}`, name: text(of), source_yaml: yaml(of), draft: of.chance.is(0.5) },
    }),
  ],
  [
    'PATCH',
    4,
    of => ({
      path: of.a('workflow'),
      attributes: {
        ...change(of),
        ...maybe(of, 'source_yaml', yaml(of)),
        ...(of.chance.is(0.3) && { draft: false }),
        ...(of.chance.is(0.2) && { archived: of.chance.is(0.3) }),
      },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('workflow') })],
  ['POST', 1, of => ({ path: `${of.a('workflow')}/versions`, attributes: { source_yaml: yaml(of) } })],
  [
    'PATCH',
    2,
    of => ({ path: `${of.a('workflow')}/versions/${of.chance.of([1, 2])}`, attributes: { source_yaml: yaml(of) } }),
  ],
  ['POST', 2, of => ({ path: `${of.a('workflow')}/versions/${of.chance.of([1, 2])}/publish` })],
  ['PATCH', 5, of => ({ path: of.a('settings'), attributes: { data: settings(of) } })],
  [
    'PUT',
    1,
    of => ({ path: of.a('settings'), attributes: { data: {}, ...maybe(of, 'version', of.chance.of([1, 2])) } }),
  ],
  ['POST', 1, of => ({ path: `${of.a('settings')}/versions/${of.chance.of([1, 2])}/restore` })],
  ['PATCH', 5, of => ({ path: of.a('properties'), attributes: { data: { release: code(of) } } })],
  [
    'PATCH',
    3,
    of => ({
      path: of.a('properties'),
      raw: `{"${code(of)}": ${of.chance.of(['1', 'null'])}}`,
      headers: { 'content-type': 'application/merge-patch+json' },
    }),
  ],
  ['POST', 1, of => ({ path: `${of.a('properties')}/versions/${of.chance.of([1, 2])}/restore` })],
  [
    'POST',
    1,
    of => ({
      path: '/users',
      attributes: { username: `new-${code(of)}`, password: password(of), ...maybe(of, 'display_name', text(of)) },
    }),
  ],
  [
    'PATCH',
    2,
    of => ({
      path: of.a('user'),
      attributes: {
        ...maybe(of, 'display_name', of.chance.of([null, text(of)])),
        ...maybe(of, 'disabled', of.chance.is(0.5)),
        ...(of.chance.is(0.2) && { password: password(of) }),
      },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('user') })],
  [
    'POST',
    2,
    of => ({ path: '/tokens', attributes: { description: text(of), expires_at: '2099-01-01T00:00:00.000000Z' } }),
  ],
  ['DELETE', 2, of => ({ path: of.a('token') })],
  [
    'POST',
    2,
    of => ({
      path: '/authorisation_policies',
      attributes: {
        name: `policy ${code(of)}`,
        ...maybe(of, 'description', text(of)),
        authorisation_rules: some(of, rule),
        assignments: some(of, assignee),
      },
    }),
  ],
  [
    'PATCH',
    2,
    of => ({
      path: of.a('authorisation_policy'),
      attributes: {
        ...maybe(of, 'description', of.chance.of([null, text(of)])),
        ...maybe(of, 'name', `policy ${code(of)}`),
      },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('authorisation_policy') })],
  [
    'PUT',
    2,
    of => ({ path: `${of.a('authorisation_policy')}/rules`, attributes: { authorisation_rules: some(of, rule) } }),
  ],
  [
    'PUT',
    2,
    of => ({ path: `${of.a('authorisation_policy')}/assignments`, attributes: { assignments: some(of, assignee) } }),
  ],
  ['POST', 2, of => ({ path: '/authorisation_rules', attributes: rule(of) })],
  [
    'PATCH',
    3,
    of => ({
      path: of.a('authorisation_rule'),
      attributes: { ...maybe(of, 'read', flag(of)), ...maybe(of, 'delete', flag(of)), ...maybe(of, 'name', null) },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('authorisation_rule') })],
  [
    'POST',
    2,
    of => ({
      path: '/policy_rules',
      attributes: {
        authorisation_policy_id: of.idOf('authorisation_policy'),
        authorisation_rule_id: of.idOf('authorisation_rule'),
      },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('policy_rule') })],
  [
    'POST',
    2,
    of => ({
      path: '/policy_assignments',
      attributes: { authorisation_policy_id: of.idOf('authorisation_policy'), ...assignee(of) },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('policy_assignment') })],
  [
    'POST',
    2,
    of => ({
      path: `${of.a('asset')}/scheduled_activities`,
      attributes: {
        action: 'ask',
        ...of.chance.of([{ cron_schedule: '@yearly' }, { run_at: '2099-01-01T00:00:00Z' }]),
        ...maybe(of, 'enabled', of.chance.is(0.5)),
        ...maybe(of, 'metadata', { a: code(of) }),
      },
    }),
  ],
  [
    'PATCH',
    4,
    of => ({
      path: of.a('scheduled_change'),
      attributes: {
        ...of.chance.of([{}, { cron_schedule: '@weekly' }, { run_at: '2098-01-01T00:00:00Z' }]),
        ...maybe(of, 'enabled', of.chance.is(0.5)),
        ...maybe(of, 'metadata', { a: code(of) }),
        ...maybe(of, 'maximum_run_count', of.chance.of([null, 3])),
      },
    }),
  ],
  ['DELETE', 1, of => ({ path: of.a('scheduled_change') })],
  [
    'POST',
    5,
    of => ({
      path: `${of.a('asset')}/changes`,
      attributes: { action: of.chance.of(['ask', 'guarded']), metadata: { ticket: code(of) } },
    }),
  ],
  [
    'POST',
    3,
    of => ({
      path: `${of.a(of.chance.of(['change', 'workflow_run']))}/${of.chance.of(['pause', 'resume'])}`,
      attributes: {},
    }),
  ],
  ['DELETE', 2, of => ({ path: of.a(of.chance.of(['change', 'workflow_run'])) })],
  ['DELETE', 1, of => ({ path: `${of.a(of.chance.of(['change', 'workflow_run']))}?purge=true` })],
  [
    'POST',
    3,
    of => ({
      path: '/workflow_runs',
      attributes: { parent_path: '/projects/bank', workflow_code: of.idOf('workflow') },
    }),
  ],
  [
    'POST',
    6,
    of => ({
      path: `${of.a(of.chance.of(['step', 'workflow_step']))}/${of.chance.of(['approve', 'reject', 'continue', 'continue'])}`,
      attributes: {},
    }),
  ],
  ['POST', 2, of => ({ path: `${of.a('asset')}/node_background_tasks` })],
  ['DELETE', 1, of => ({ path: of.a('node_background_task') })],
  [
    'POST',
    2,
    of => ({
      path: '/secrets/encrypt',
      attributes: { node_path: of.a('node'), path: 'db', key: code(of), value: password(of) },
    }),
  ],
  [
    'POST',
    1,
    of => ({
      path: '/secrets/resolve',
      attributes: { node_path: of.a('node'), reference: `secret:/${of.a('node')}/db/${code(of)}` },
    }),
  ],
  [
    'POST',
    2,
    of => ({
      path: '/events',
      attributes: { type: 'mine:own:event', node_path: of.a('node'), nested: { of: code(of) } },
    }),
  ],
  ['POST', 1, () => ({ path: '/tokens/session' })],
  [
    'PATCH',
    2,
    of => ({
      path: of.a('system'),
      attributes: { data: { maintenance_mode: of.chance.of(['enabled', 'superuser_override', 'disabled', null]) } },
    }),
  ],
  [
    'POST',
    3,
    of => {
      const relationships = { change: { data: { type: 'change', id: of.idOf('change') } } }
      return { path: '/changes', raw: JSON.stringify({ data: { attributes: { retry: true }, relationships } }) }
    },
  ],
]

/** Deeds with their weights. */
const shares = deeds.flatMap(deed => Array.from({ length: deed[1] }, () => deed))

/** A value that may be sent, sometimes an invalid one. */
export function anyDeed(chance: Chance, known: Known): Asked {
  const [method, , deed] = chance.of(shares)
  const a = (kind: string) => chance.of(known.get(kind) ?? [`/projects/bank/none-of-${kind}`])
  const asked = deed({ chance, a, idOf: kind => a(kind).split('/').at(-1)! })
  if (chance.is(0.05)) return { method, ...asked, attributes: { ...asked.attributes, surprise: 1 } }
  if (chance.is(0.05)) return { method, ...asked, headers: { ...asked.headers, 'if-match': '"1-abc"' } }
  return { method, ...asked }
}
