import type { Activity, Resource } from '../api/records.ts'
import type { WaitingRecord } from '../components/decision/decision-dialog.tsx'
import type { InputArgument } from '../components/decision/input-arguments.ts'
import type { LogLine } from '../components/log-window/lines.ts'
import type { SettingField } from '../components/settings-form/setting-field.ts'

/** Records and texts that the pages of the gallery show. Times are relative to now, which tests set to a fixed time. */

/** Time some seconds ago. */
export const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString()

export const waitingStep: WaitingRecord = {
  id: '00000000-0000-4000-8000-000000000001',
  type: 'step',
  attributes: {
    full_path: 'rollout/Go live',
    requires_approval_from: [
      { user_names: ['bob', 'carol'], required_approvals: 2 },
      { ldap_groups: ['release-managers-of-the-retail-bank'], required_approvals: 1 },
    ],
    approved_by: [{ username: 'bob', at: '2026-11-27T09:58:00Z', rules: [0] }],
  },
  meta: { can: ['approve', 'reject'] },
}

const argument = (name: string, given: Partial<InputArgument>): InputArgument => ({
  name,
  type: 'string',
  required: true,
  sensitive: false,
  path: `/${name}`,
  ...given,
})

export const inputArguments: readonly InputArgument[] = [
  argument('release', { label: 'Release', description: 'Number of the release to roll out.' }),
  argument('where', { valid_values: ['here', 'there'], default_value: 'here' }),
  argument('from', { type: 'date', required: false }),
  argument('password', { sensitive: true }),
  argument('hosts', { type: 'array', required: false, default_value: ['web-01'] }),
  argument('count', { type: 'integer' }),
]

type ActivityRow = Resource<Activity>

const activity = (id: number, given: Partial<Activity>): ActivityRow => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  type: 'change',
  attributes: {
    type: 'change',
    path: '/projects/bank/environments/live/assets/front',
    action: 'rollout',
    workflow_code: null,
    scheduled: false,
    metadata: {},
    created_by: 'ann',
    status_code: 'success',
    created_at: ago(id * 700),
    started_at: ago(id * 700 - 2),
    finished_at: ago(id * 700 - 90),
    ...given,
  } as Activity,
})

export const activities: readonly ActivityRow[] = [
  activity(1, { status_code: 'running', finished_at: null, metadata: { ticket: 'CHG-2041' } }),
  activity(2, {
    status_code: 'waiting_for_approval',
    path: '/projects/retail-banking/environments/production-frankfurt/assets/payment-gateway-frontend',
    action: 'rotate-certificates-and-restart-everything',
    finished_at: null,
  }),
  activity(3, {
    type: 'workflow_run',
    action: null,
    workflow_code: 'release',
    path: '/projects/bank',
    scheduled: true,
  }),
  activity(4, { status_code: 'error', created_by: 'bob' }),
  activity(5, { status_code: 'queued', started_at: null, finished_at: null }),
]

export const settingFields: readonly SettingField[] = [
  {
    name: 'maintenance_window',
    kind: 'document',
    description: 'Hours of maintenance.',
    default: {},
    isSecret: false,
    note: 'Used once agents start.',
  },
  {
    name: 'runner.driver',
    kind: 'choice',
    options: ['process', 'pod'],
    description: 'Where runners are started.',
    default: 'process',
    isSecret: false,
  },
  {
    name: 'runner.limit',
    kind: 'number',
    minimum: 1,
    maximum: 500,
    description: 'Limit of concurrent runners.',
    default: 10,
    isSecret: false,
  },
  { name: 'mail.password', kind: 'text', description: 'For the mail server.', default: '', isSecret: true },
  { name: 'mail.recipients', kind: 'lines', description: 'Addresses to send to.', default: [], isSecret: false },
]

export const settingValues = Object.fromEntries(settingFields.map(({ name, default: value }) => [name, value]))

const messages: readonly (readonly [step: string, message: string, category?: LogLine['category']])[] = [
  ['check', '/dev/vda1    252G  180G   72G  72% /'],
  ['check', 'all disks have room'],
  ['back-up', '  customers     1,204,331 rows'],
  ['back-up', '  payments     98,120,004 rows, longer than all other tables together'],
  ['back-up', 'backed up 14 tables'],
  ['fetch-the-release', 'connection reset by peer', 'stderr'],
  ['fetch-the-release', 'The step is retried in 5 s.', 'runner'],
  ['warm-up', '\u001b[32m✓\u001b[0m warmed \u001b[1m3\u001b[0m caches'],
]

export const logLines: readonly LogLine[] = messages.map(([stepId, message, category = 'stdout']) => ({
  loggedAt: '2026-11-27T10:00:00Z',
  category,
  attempt: 1,
  stepId,
  message,
}))
