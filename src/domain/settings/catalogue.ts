import Type, { type TSchema } from 'typebox'
import { attributeFault, baseFault, filterFault, hostFault } from './ldap-values.ts'

/**
 * Level at which a setting may be set: on the installation, on a node, on the source of a node (template, version), or
 * for one change.
 */
export type Level =
  | 'global'
  | 'project'
  | 'environment'
  | 'asset'
  | 'agent'
  | 'template'
  | 'template_version'
  | 'change'

export interface Setting {
  readonly schema: TSchema
  /** Default value; undefined if there is none. */
  readonly default?: unknown
  readonly levels: readonly Level[]
  /** Part of the value that is returned as `{{hidden}}`: the value itself (true), or these members of it. */
  readonly secret?: true | readonly string[]
  /** The member that says where the secret members are sent: `{{hidden}}` keeps them only while it stays the same. */
  readonly sentTo?: string
  /** Settings that determine where and how a secret is sent. It has to be entered again when they change. */
  readonly sentBy?: readonly string[]
  /** Fault of a value that the schema accepts, in a sentence; undefined if there is none. */
  readonly fault?: (value: string) => string | undefined
  /** Whether levels below global may only set values that `allowed.<key>` lists: it chooses isolation or addresses. */
  readonly listed?: true
  /** Purpose of the setting, in one sentence. */
  readonly why: string
  /** Reason why a setting has no effect so far, in a sentence; the response to a write warns about it. */
  readonly unheeded?: string
}

const noImages = 'Nothing builds images yet.'
const noAgents = 'Nothing starts agents yet.'
const processesOnly = 'All runners are processes on the host of the service.'
const noScaling = 'Nothing adds or removes API workers yet.'

const global: readonly Level[] = ['global']
const toProject: readonly Level[] = ['global', 'project']
const toEnvironment: readonly Level[] = ['global', 'project', 'environment']
const toAsset: readonly Level[] = [...toEnvironment, 'asset']
const toChange: readonly Level[] = [...toAsset, 'change']
const toAgent: readonly Level[] = [...toProject, 'agent']
/** Levels including templates, for settings of fetching, deriving and building, which a template itself may set. */
const withTemplates = (levels: readonly Level[]): readonly Level[] => [...levels, 'template', 'template_version']

const integer = (minimum: number, maximum: number): TSchema => Type.Integer({ minimum, maximum })
const text = (maxLength = 1_024): TSchema => Type.String({ minLength: 1, maxLength })
const oneOf = (...values: string[]): TSchema => Type.Enum(values)
const texts: TSchema = Type.Array(text(255), { maxItems: 100 })
const object = (properties: Record<string, TSchema>): TSchema =>
  Type.Object(properties, { additionalProperties: false })
const optional = (schema: TSchema): TSchema => Type.Optional(schema)

const slots = integer(0, 10_000)
const kinds = oneOf('process', 'container', 'kubernetes')
const folder = Type.String({
  pattern: '^(?!/)(?!.*(?:^|/)\\.\\.?(?:/|$))[^\\\\\\u0000-\\u001f]{1,255}(?<!/)$',
  shouldBe: 'a folder inside the repository: relative, without "." or ".." parts and without a slash at its end',
})

/** Web address that is shown to all readers of settings, and in error messages: it must contain no password. */
const webAddress = Type.String({
  pattern: '^https?://[^\\s/?#@]+(?:[/?#][^\\s]*)?$',
  shouldBe: 'an address that begins with http:// or https://, without blanks, user and password',
  maxLength: 2_048,
})

const approvalRule = object({
  change_filter: object({
    actions: Type.Union([text(10_000), texts]),
    created_by: optional(object({ user_names: optional(texts), ldap_groups: optional(texts) })),
  }),
  user_names: optional(texts),
  ldap_groups: optional(texts),
  required_approvals: optional(integer(1, 100)),
  allow_self_approval: optional(Type.Boolean()),
  merge_approvers: optional(Type.Boolean()),
})

const vault = object({
  address: webAddress,
  auth_method: oneOf('token', 'userpass'),
  token: optional(text(4_096)),
  user: optional(text(255)),
  password: optional(text(4_096)),
  mount_path: optional(text(255)),
  tls: optional(object({ verify: optional(Type.Boolean()), ca: optional(text(65_536)) })),
})

const resources = object({
  cpu: optional(text(32)),
  memory: optional(text(32)),
  ephemeral_storage: optional(text(32)),
})

/**
 * All settings. This table validates, documents, fills in defaults and restricts the levels of settings; nothing about
 * a setting is defined elsewhere.
 */
const ownSettings = {
  maintenance_mode: {
    schema: oneOf('disabled', 'enabled', 'superuser_override'),
    default: 'disabled',
    levels: global,
    why: 'Holds the start of new changes, runs and background tasks; superuser_override exempts those created by superusers.',
  },
  requires_approval_from: {
    schema: Type.Array(approvalRule, { maxItems: 100 }),
    default: [],
    levels: toAsset,
    why: 'Rules for approvals before changes run; the rules of all levels apply together.',
  },
  'allow_parallel.changes': {
    schema: Type.Boolean(),
    default: true,
    levels: toAsset,
    why: 'Whether several changes may run on one node at the same time.',
  },
  'allow_parallel.runs_of_same_change': {
    schema: Type.Boolean(),
    default: false,
    levels: toAsset,
    why: 'Whether several changes with the same action may run on one node at the same time.',
  },
  'allow_parallel.runs_of_same_workflow': {
    schema: Type.Boolean(),
    default: false,
    levels: toProject,
    why: 'Whether several runs of one workflow may run at the same time.',
  },
  'concurrent.runner_limit': {
    schema: slots,
    default: 15,
    levels: global,
    why: 'Maximum number of concurrent runners.',
  },
  'concurrent.refresh_limit': {
    schema: slots,
    default: 5,
    levels: global,
    why: 'Maximum number of concurrent derivations of actions.',
  },
  'concurrent.model_limit': {
    schema: slots,
    default: 5,
    levels: global,
    why: 'Maximum number of models generated concurrently.',
  },
  'concurrent.agent_limit': { schema: slots, default: 50, levels: global, why: 'Maximum number of running agents.' },
  'build_service.max_concurrent_image_builds': {
    schema: slots,
    default: 8,
    levels: global,
    why: 'Maximum number of concurrent image builds.',
  },
  'build_service.max_image_build_retries': {
    schema: integer(0, 20),
    default: 3,
    levels: global,
    why: 'Maximum number of retries of a failed image build.',
    unheeded: noImages,
  },
  'build_service.image_build_throttle_delay': {
    schema: integer(0, 3_600),
    default: 2,
    levels: global,
    why: 'Seconds between the starts of two image builds.',
    unheeded: noImages,
  },
  'image_reuse.enabled': {
    schema: Type.Boolean(),
    default: true,
    levels: withTemplates(toAsset),
    why: 'Whether images with the same content are reused.',
    unheeded: noImages,
  },
  'image_reuse.ttl_days': {
    schema: integer(1, 3_650),
    default: 7,
    levels: withTemplates(toAsset),
    why: 'Days for which an image can be reused.',
    unheeded: noImages,
  },
  pod_per_change_step: {
    schema: Type.Boolean(),
    default: false,
    levels: toChange,
    why: 'Whether each step has its own runner, slot and working copy instead of sharing those of the change.',
  },
  parallel_change_worker_steps: {
    schema: integer(1, 1_000),
    default: 5,
    levels: toChange,
    why: 'Maximum number of concurrent steps of one change.',
  },
  on_runner_lost: {
    schema: oneOf('error', 'restart'),
    default: 'error',
    levels: toChange,
    why: 'Whether a step whose runner is lost fails or runs again; at most five attempts.',
  },
  step_timeout_seconds: {
    schema: integer(1, 31_536_000),
    levels: toChange,
    why: 'Time limit of steps in seconds, unless the action has its own.',
  },
  'runner.kind': { schema: kinds, default: 'process', levels: toAsset, listed: true, why: 'How runners are started.' },
  'runner.image': {
    schema: text(),
    levels: toAsset,
    listed: true,
    why: 'Image of runners; without it the built-in one.',
    unheeded: processesOnly,
  },
  'runner.node_selector': {
    schema: Type.Record(Type.String(), text(255)),
    levels: toAsset,
    why: 'Labels of the cluster nodes for runners.',
    unheeded: processesOnly,
  },
  'runner.resources': {
    schema: resources,
    levels: toAsset,
    why: 'Limits of a runner: cpu, memory, ephemeral_storage.',
    unheeded: processesOnly,
  },
  'runner.sandbox': {
    schema: Type.Boolean(),
    levels: toAsset,
    listed: true,
    why: 'Whether steps of process runners run inside bubblewrap. Default: where it is installed.',
  },
  'runner.silence_seconds': {
    schema: integer(30, 3_600),
    default: 60,
    levels: toAsset,
    why: 'Seconds without contact to the service after which a runner stops its steps; 15 s later the service counts it as lost. The start of a service counts as contact.',
  },
  'runner.idle_timeout': {
    schema: integer(0, 3_600),
    default: 30,
    levels: toAsset,
    why: 'Seconds after which a runner without work ends.',
  },
  'runner.spares': {
    schema: integer(0, 20),
    default: 1,
    levels: global,
    why: 'Number of spare process runners that each service process keeps ready.',
  },
  'agent.kind': {
    schema: kinds,
    levels: toAgent,
    listed: true,
    why: 'How agents are started. Default: as runner.kind.',
    unheeded: noAgents,
  },
  'agent.script_path': {
    schema: folder,
    default: 'agent.sh',
    levels: toAgent,
    why: 'Entry point of agents.',
    unheeded: noAgents,
  },
  'agent.image': { schema: text(), levels: toAgent, why: 'Image of agents.', unheeded: noAgents },
  repo_folder: {
    schema: folder,
    default: '.sluice',
    levels: withTemplates(toAsset),
    why: 'Folder of a repository that holds its properties and default image.',
  },
  dockerfile: {
    schema: folder,
    default: 'Dockerfile',
    levels: withTemplates(toAsset),
    why: 'Name of the image file.',
    unheeded: noImages,
  },
  include_git_history: {
    schema: Type.Boolean(),
    default: false,
    levels: withTemplates(toAsset),
    why: 'Whether working copies have the history of the repository.',
    unheeded: 'Working copies do not contain the history.',
  },
  model_render_timeout: {
    schema: integer(1, 1_800),
    default: 300,
    levels: withTemplates(toAsset),
    why: 'Time limit for rendering a model in seconds.',
  },
  'git_remote.periodic_fetch_interval': {
    schema: integer(60, 86_400),
    default: 900,
    levels: toProject,
    why: 'Seconds between background fetches of a git remote.',
  },
  'git_remote.fetch_stale_threshold': {
    schema: integer(0, 3_600),
    default: 3,
    levels: global,
    why: 'Seconds during which a fetch is not repeated.',
  },
  'git_remote.periodic_fetch_summary.enabled': {
    schema: Type.Boolean(),
    default: true,
    levels: global,
    why: 'Whether a summary of background fetches is recorded.',
  },
  'git_remote.periodic_fetch_summary.interval': {
    schema: integer(60, 31_536_000),
    default: 86_400,
    levels: global,
    why: 'Seconds between two such summaries.',
  },
  known_hosts: {
    schema: Type.Array(text(4_096), { maxItems: 1_000 }),
    default: [],
    levels: global,
    why: 'Lines of known_hosts that git over ssh checks hosts against.',
  },
  admission_interval: {
    schema: integer(1, 3_600),
    default: 30,
    levels: global,
    why: 'Seconds between two checks of pending work.',
    unheeded: 'Pending work is checked every second.',
  },
  schedule_catch_up: {
    schema: integer(0, 604_800),
    default: 3_600,
    levels: global,
    why: 'Due times missed by at most this number of seconds are caught up; a delay of up to a minute does not count as missed.',
  },
  'ldap.host': {
    schema: text(255),
    levels: global,
    fault: hostFault,
    why: 'Host of the directory: name or address only. Without it, no directory is used.',
  },
  'ldap.port': {
    schema: integer(1, 65_535),
    levels: global,
    why: 'Port of the directory. Default: 389, with ldaps 636.',
  },
  'ldap.tls': {
    schema: oneOf('none', 'starttls', 'ldaps'),
    levels: global,
    why: 'Transport security of the connection. Default: starttls.',
  },
  'ldap.base_dn': { schema: text(), fault: baseFault, levels: global, why: 'Base DN of the directory.' },
  'ldap.bind_dn': { schema: text(), levels: global, why: 'DN of the account that searches the directory.' },
  'ldap.password': {
    schema: text(4_096),
    levels: global,
    secret: true,
    sentBy: ['ldap.host', 'ldap.port', 'ldap.tls'],
    why: 'Password of bind_dn. Required again when host, port or tls change.',
  },
  'ldap.user_base': { schema: text(), fault: baseFault, levels: global, why: 'Base DN for users.' },
  'ldap.user_attribute': {
    schema: text(255),
    fault: attributeFault,
    levels: global,
    why: 'Attribute with the user name.',
  },
  'ldap.user_filter': {
    schema: text(4_096),
    levels: global,
    fault: filterFault,
    why: 'Filter (RFC 4515) that users must match.',
  },
  'ldap.group_base': { schema: text(), fault: baseFault, levels: global, why: 'Base DN for groups.' },
  'ldap.group_attribute': {
    schema: text(255),
    fault: attributeFault,
    levels: global,
    why: 'Attribute with the group name.',
  },
  'ldap.mail_attribute': {
    schema: text(255),
    fault: attributeFault,
    levels: global,
    why: 'Attribute with the email address.',
  },
  'ldap.cache_ttl': {
    schema: integer(0, 86_400),
    default: 60,
    levels: global,
    why: 'Seconds for which a user is cached.',
  },
  'ldap.refresh_interval': {
    schema: integer(60, 604_800),
    default: 14_400,
    levels: global,
    why: 'Seconds between full refreshes of users and groups.',
  },
  'ldap.search_timeout': {
    schema: integer(1, 600),
    default: 30,
    levels: global,
    why: 'Time limit of a search in seconds.',
  },
  'token.access_expiry_minutes': {
    schema: integer(1, 525_600),
    default: 240,
    levels: global,
    why: 'Minutes after which a session ends.',
  },
  enable_basic_auth: {
    schema: Type.Boolean(),
    default: true,
    levels: global,
    why: 'Whether requests can authenticate with user name and password.',
  },
  vault: {
    schema: vault,
    levels: toEnvironment,
    secret: ['token', 'password'],
    sentTo: 'address',
    listed: true,
    why: 'The vault for secrets; default: the built-in one.',
  },
  'api_autoscaler.mode': {
    schema: oneOf('disabled', 'dry_run', 'active'),
    default: 'disabled',
    levels: global,
    why: 'Whether API workers are added and removed automatically.',
    unheeded: noScaling,
  },
  'api_autoscaler.min_workers': {
    schema: integer(1, 64),
    default: 1,
    levels: global,
    why: 'API workers at least.',
    unheeded: noScaling,
  },
  'api_autoscaler.max_workers': {
    schema: integer(1, 64),
    default: 4,
    levels: global,
    why: 'API workers at most.',
    unheeded: noScaling,
  },
  log_email_events: {
    schema: Type.Boolean(),
    default: false,
    levels: global,
    why: 'Whether each email, and each failure to send one, is recorded.',
  },
  'log_forward.endpoint': {
    schema: webAddress,
    levels: global,
    why: 'OTLP/HTTP endpoint that step logs are forwarded to.',
    unheeded: 'Nothing forwards logs yet.',
  },
} as const satisfies Record<string, Setting>

/** Possible values in a list of allowed ones. */
export const mostAllowed = 100

/**
 * Settings `allowed.<key>` for each setting that chooses isolation or addresses: the values that levels below global
 * may choose from.
 */
const allowed: Readonly<Record<string, Setting>> = Object.fromEntries(
  Object.entries<Setting>(ownSettings)
    .filter(([, { listed }]) => listed)
    .map(([key, { schema, secret, sentTo }]) => [
      `allowed.${key}`,
      {
        schema: Type.Array(schema, { maxItems: mostAllowed }),
        default: [],
        levels: global,
        ...(secret && { secret }),
        ...(sentTo && { sentTo }),
        why: `Values that projects and the nodes below them may choose for ${key}.`,
      },
    ]),
)

export const catalogue: Readonly<Record<string, Setting>> = { ...ownSettings, ...allowed }
