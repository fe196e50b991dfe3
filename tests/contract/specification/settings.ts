/** Key → its default (absent: none), the levels at which it may be set, and a valid value. */
export interface SettingTable {
  readonly default?: unknown
  readonly levels: 'global' | 'to project' | 'to environment' | 'to asset' | 'to change' | 'to agent'
  /** Whether it also applies to operations on a template. */
  readonly templates?: true
  /** Whether levels below global may only set values that `allowed.<key>` lists. */
  readonly listed?: true
  readonly secret?: true
  readonly sample: unknown
  /** An invalid value. */
  readonly wrong: unknown
}

const limit = (usual: number): SettingTable => ({ default: usual, levels: 'global', sample: 7, wrong: -1 })
const toggle = (usual: boolean, levels: SettingTable['levels']): SettingTable => ({
  default: usual,
  levels,
  sample: !usual,
  wrong: 'banana',
})
const text = (levels: SettingTable['levels'], sample: string): SettingTable => ({ levels, sample, wrong: 5 })

export const settings: Readonly<Record<string, SettingTable>> = {
  maintenance_mode: { default: 'disabled', levels: 'global', sample: 'disabled', wrong: 'on' },
  requires_approval_from: {
    default: [],
    levels: 'to asset',
    sample: [{ change_filter: { actions: 'deploy' }, user_names: ['admin'] }],
    wrong: [{ user_names: 'admin' }],
  },
  'allow_parallel.changes': toggle(true, 'to asset'),
  'allow_parallel.runs_of_same_change': toggle(false, 'to asset'),
  'allow_parallel.runs_of_same_workflow': toggle(false, 'to project'),
  'concurrent.runner_limit': limit(15),
  'concurrent.refresh_limit': limit(5),
  'concurrent.model_limit': limit(5),
  'concurrent.agent_limit': limit(50),
  'build_service.max_concurrent_image_builds': limit(8),
  'build_service.max_image_build_retries': limit(3),
  'build_service.image_build_throttle_delay': limit(2),
  'image_reuse.enabled': { ...toggle(true, 'to asset'), templates: true },
  'image_reuse.ttl_days': { default: 7, levels: 'to asset', templates: true, sample: 9, wrong: 0 },
  pod_per_change_step: toggle(false, 'to change'),
  parallel_change_worker_steps: { default: 5, levels: 'to change', sample: 6, wrong: 0 },
  on_runner_lost: { default: 'error', levels: 'to change', sample: 'restart', wrong: 'ignore' },
  step_timeout_seconds: { levels: 'to change', sample: 60, wrong: 0 },
  'runner.kind': { default: 'process', levels: 'to asset', listed: true, sample: 'container', wrong: 'vm' },
  'runner.image': { ...text('to asset', 'registry.example/runner:1'), listed: true },
  'runner.node_selector': { levels: 'to asset', sample: { disk: 'ssd' }, wrong: 'ssd' },
  'runner.resources': { levels: 'to asset', sample: { cpu: '2', memory: '1Gi' }, wrong: { gpu: 1 } },
  'runner.sandbox': { levels: 'to asset', listed: true, sample: true, wrong: 'yes' },
  'runner.idle_timeout': { default: 30, levels: 'to asset', sample: 31, wrong: -1 },
  'agent.kind': { levels: 'to agent', listed: true, sample: 'container', wrong: 'vm' },
  'agent.script_path': { default: 'agent.sh', levels: 'to agent', sample: 'start.sh', wrong: '../start.sh' },
  'agent.image': text('to agent', 'registry.example/agent:1'),
  repo_folder: { default: '.sluice', levels: 'to asset', templates: true, sample: 'delivery', wrong: '/delivery' },
  dockerfile: { default: 'Dockerfile', levels: 'to asset', templates: true, sample: 'Containerfile', wrong: '../x' },
  include_git_history: { ...toggle(false, 'to asset'), templates: true },
  model_render_timeout: { default: 300, levels: 'to asset', templates: true, sample: 1800, wrong: 1801 },
  'git_remote.periodic_fetch_interval': { default: 900, levels: 'to project', sample: 60, wrong: 59 },
  'git_remote.fetch_stale_threshold': limit(3),
  'git_remote.periodic_fetch_summary.enabled': toggle(true, 'global'),
  'git_remote.periodic_fetch_summary.interval': { default: 86_400, levels: 'global', sample: 3_600, wrong: 0 },
  known_hosts: { default: [], levels: 'global', sample: ['example.org ssh-ed25519 AAAA'], wrong: 'example.org' },
  admission_interval: { default: 30, levels: 'global', sample: 5, wrong: 0 },
  schedule_catch_up: { default: 3_600, levels: 'global', sample: 60, wrong: -1 },
  'ldap.host': text('global', 'directory.example'),
  'ldap.port': { levels: 'global', sample: 636, wrong: 70_000 },
  'ldap.tls': { levels: 'global', sample: 'ldaps', wrong: 'maybe' },
  'ldap.base_dn': text('global', 'dc=example'),
  'ldap.bind_dn': text('global', 'cn=reader,dc=example'),
  'ldap.password': { ...text('global', 'the word of the directory'), secret: true },
  'ldap.user_base': text('global', 'ou=people'),
  'ldap.user_attribute': text('global', 'uid'),
  'ldap.user_filter': text('global', '(objectClass=person)'),
  'ldap.group_base': text('global', 'ou=groups'),
  'ldap.group_attribute': text('global', 'cn'),
  'ldap.mail_attribute': text('global', 'mail'),
  'ldap.cache_ttl': limit(60),
  'ldap.refresh_interval': { default: 14_400, levels: 'global', sample: 3_600, wrong: 0 },
  'ldap.search_timeout': { default: 30, levels: 'global', sample: 5, wrong: 0 },
  'token.access_expiry_minutes': { default: 240, levels: 'global', sample: 60, wrong: 0 },
  enable_basic_auth: { default: true, levels: 'global', sample: true, wrong: 'banana' },
  vault: {
    levels: 'to environment',
    listed: true,
    sample: { address: 'https://vault.example', auth_method: 'userpass', user: 'sluice', mount_path: 'secret' },
    wrong: { address: 'vault', auth_method: 'none' },
  },
  'api_autoscaler.mode': { default: 'disabled', levels: 'global', sample: 'dry_run', wrong: 'on' },
  'api_autoscaler.min_workers': { default: 1, levels: 'global', sample: 2, wrong: 0 },
  'api_autoscaler.max_workers': { default: 4, levels: 'global', sample: 5, wrong: 0 },
  log_email_events: toggle(false, 'global'),
  'log_forward.endpoint': { levels: 'global', sample: 'https://logs.example/v1/logs', wrong: 'ftp://logs' },
}

const levelsOf: Readonly<Record<SettingTable['levels'], readonly string[]>> = {
  global: ['global'],
  'to project': ['global', 'project'],
  'to environment': ['global', 'project', 'environment'],
  'to asset': ['global', 'project', 'environment', 'asset'],
  'to change': ['global', 'project', 'environment', 'asset', 'change'],
  'to agent': ['global', 'project', 'agent'],
}

export const levelsOfSetting = ({ levels, templates }: SettingTable): readonly string[] => [
  ...levelsOf[levels],
  ...(templates ? ['template', 'template_version'] : []),
]
