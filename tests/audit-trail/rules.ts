import type { journaled, Row, Told } from './journal.ts'

/** Required events of a written row: one of these types, in the same transaction, about this record. */
interface Needed {
  readonly type: RegExp
  readonly about?: unknown
  readonly tells?: (event: Told) => boolean
}

/** Columns whose changes need an event; others (counters, times, runners) need none. */
export interface Rule {
  readonly columns: string
  readonly needs: (written: {
    before: Row | null
    after: Row | null
    row: Row
    verb: Verb
    differs: Differs
  }) => Needed[]
}

type Verb = 'create' | 'update' | 'destroy'
export type Differs = (...columns: string[]) => boolean

/** The record's own event, by its own controller. */
const own =
  (controller: string) =>
  ({ row, verb }: { row: Row; verb: Verb }): Needed[] => [
    {
      type: new RegExp(`^api:${controller}:${verb}$`),
      about: row['id'],
      tells: ({ username }) => verb !== 'create' || username === (row['created_by'] ?? username),
    },
  ]

const versionOf = (documents: 'properties' | 'settings', row: Row): Needed[] =>
  row['version'] === 1
    ? []
    : [
        {
          type: new RegExp(`^api:${documents}:update$`),
          about: row[`${documents}_id`],
          tells: ({ attributes, username }) =>
            attributes['version'] === row['version'] && username === row['created_by'],
        },
      ]

const statusEvents: Readonly<Record<string, string>> = {
  running: 'start',
  success: 'success',
  error: 'error',
  aborted: 'abort',
  cancelled: 'cancel',
  system_error: 'system_error',
}

/** Events for a new state of a template version; a renewed fetch is recorded by its cause. */
const cameTo: Readonly<Record<string, RegExp>> = {
  ready: /^info:template_version:fetch_complete$/,
  broken: /^error:template_version:broken$/,
}

const ofActivity: Rule['needs'] = ({ before, after, row, verb, differs }) => {
  const about = row['id']
  const event = (what: string) => ({ type: new RegExp(`^api:(changes|workflow_runs):${what}$`), about })
  if (verb !== 'update') return [event(verb)]
  const status = String(after!['status'])
  const told = statusEvents[status]
  const [was, is] = [before!['pause_state'], after!['pause_state']]
  return [
    // Continues after a wait without beginning again.
    ...(differs('status') && told && (status !== 'running' || before!['status'] === 'pending') ? [event(told)] : []),
    ...(was === 'none' && is !== 'none' ? [event('pause')] : []),
    ...(was !== 'none' && is === 'none' && after!['final'] !== true ? [event('resume')] : []),
  ]
}

const onOff = (row: Row | null) => (row?.['mode'] === 'disabled' ? 'disabled' : 'enabled')

export const rules: Readonly<Record<(typeof journaled)[number], Rule>> = {
  nodes: {
    columns: 'name description archived destroyed_at template_version',
    needs: ({ row, verb, differs, after }) => {
      if (verb === 'destroy') return []
      const gone =
        verb === 'update' && (differs('destroyed_at') || (differs('archived') && after!['archived'] === true))
      return [{ type: gone ? /:(destroy|update)$/ : new RegExp(`^api:(projects|nodes):${verb}$`), about: row['id'] }]
    },
  },
  bookmarks: { columns: 'description url', needs: own('bookmarks') },
  git_remotes: {
    columns: 'name url public_url user credentials periodic_fetch_interval archived',
    needs: own('git_remotes'),
  },
  properties_versions: {
    columns: '',
    needs: ({ row, verb }) => (verb === 'create' ? versionOf('properties', row) : []),
  },
  settings_versions: { columns: '', needs: ({ row, verb }) => (verb === 'create' ? versionOf('settings', row) : []) },
  maintenance_mode: {
    columns: 'mode',
    needs: ({ before, after }) =>
      onOff(before) === onOff(after) ? [] : [{ type: new RegExp(`^info:maintenance_mode:${onOff(after)}$`) }],
  },
  templates: {
    columns: 'name description archived disabled git_remote_id',
    needs: own('templates'),
  },
  template_versions: {
    columns: 'description git_rev locked float_git_rev archived state commit_sha',
    needs: ({ row, verb, differs, after }) => {
      if (verb === 'destroy') return [{ type: /^api:template_versions:destroy$/, about: row['id'] }]
      if (verb === 'update' && differs('state', 'commit_sha')) {
        const type = cameTo[String(after!['state'])]
        if (type) return [{ type, about: row['id'] }]
      }
      return [{ type: /^api:template_versions:update$/, about: row['id'] }]
    },
  },
  template_version_histories: {
    columns: '',
    needs: ({ row, verb }) =>
      verb === 'create' ? [{ type: /^api:nodes:(create|update)$/, about: row['node_id'] }] : [],
  },
  node_background_tasks: {
    columns: 'cancelled_by',
    needs: ({ row, verb }) => {
      // Those for a template's version are reported by that version.
      if (row['node_id'] === null || verb === 'destroy') return []
      const type = verb === 'create' ? /^api:(generate_actions_request:create|models:generate)$/ : /^api:.*:cancel$/
      return [{ type, about: row['id'] }]
    },
  },
  workflows: {
    columns: 'name description archived',
    needs: ({ row, verb, after, differs }) => {
      if (verb === 'update' && differs('archived') && after!['archived'] === true)
        return [{ type: /^api:workflows:(update|destroy)$/, about: row['id'] }]
      return own('workflows')({ row, verb })
    },
  },
  workflow_versions: {
    columns: 'source_yaml published_at',
    needs: ({ row, verb, differs }) => {
      const about = row['workflow_id']
      const tells = ({ attributes }: Told) => attributes['version'] === row['version']
      if (verb === 'destroy') return [{ type: /^api:workflows:destroy$/, about }]
      if (verb === 'create')
        return row['version'] === 1
          ? [{ type: /^api:workflows:create$/, about }]
          : [{ type: /^api:workflow_versions:create$/, about, tells }]
      return [
        ...(differs('published_at') ? [{ type: /^api:workflows:publish$/, about, tells }] : []),
        ...(differs('source_yaml') ? [{ type: /^api:workflow_versions:(create|update)$/, about, tells }] : []),
      ]
    },
  },
  scheduled_activities: {
    columns:
      'action workflow_code cron_schedule run_at time_zone repeat maximum_run_count end_at enabled metadata property_overrides settings_overrides notify skip_steps allow_parallel_execution',
    needs: ({ row, verb, differs, after }) => {
      if (verb === 'update' && differs('enabled') && after!['disabled_reason'] !== null)
        return [{ type: /^warning:scheduled_activity:disabled$/, about: row['id'] }]
      return own('scheduled_(changes|workflows)')({ row, verb })
    },
  },
  activities: { columns: 'status pause_state', needs: ofActivity },
  vault_entries: {
    columns: 'value kept_in',
    needs: ({ row, verb }) => [
      {
        type: verb === 'destroy' ? /^api:(secrets:remove|nodes:destroy)$/ : /^api:secrets:encrypt$/,
        tells: ({ type, attributes, path }) =>
          type === 'api:nodes:destroy'
            ? String(row['path']).startsWith(path!)
            : attributes['vault_path'] === row['path'] && attributes['vault_key'] === row['key'],
      },
    ],
  },
  key_rotations: {
    columns: '',
    needs: ({ row, verb }) => (verb === 'create' ? [{ type: /^api:key_rotations:create$/, about: row['id'] }] : []),
  },
  users: {
    columns: 'display_name email_address disabled deleted_at password_version',
    needs: ({ row, verb, differs }) =>
      own('users')({ row, verb: verb === 'update' && differs('deleted_at') ? 'destroy' : verb }),
  },
  tokens: {
    columns: 'revoked_at',
    needs: ({ row, verb }) => {
      if (row['kind'] !== 'personal' && row['kind'] !== 'session') return []
      if (verb === 'create') return [{ type: /^api:tokens:create$/, about: row['id'] }]
      const byUser = ({ type, source_id }: Told) =>
        (type.startsWith('api:users:') ? row['user_id'] : row['id']) === source_id
      return [{ type: /^api:(tokens:destroy|users:(update|destroy))$/, tells: byUser }]
    },
  },
  authorisation_policies: { columns: 'name description', needs: own('authorisation_policies') },
  authorisation_rules: { columns: 'path name read update execute delete', needs: own('authorisation_rules') },
  policy_rules: { columns: '', needs: own('policy_rules') },
  policy_assignments: { columns: '', needs: own('policy_assignments') },
}
