import { shellWord as quoted } from '../../components/command/words.ts'
import type { RunAttributes } from './run-form.ts'
import { typedText } from './typed-value.ts'
import type { WorkflowRunAttributes } from './use-workflow-plan.ts'

/** Command that creates the change: `sluice changes create /projects/bank/assets/web rollout --skip 'rollout/check'`. */
export function createCommand(path: string, { action = 'ACTION', ...attributes }: RunAttributes): string {
  return ['sluice changes create', quoted(path), quoted(action), ...optionsOf(attributes)].join(' ')
}

/** Command that retries a change. */
export const retryCommand = (id: string, { retry: _, refresh_sha: refresh, ...attributes }: RunAttributes): string =>
  ['sluice changes retry', id, ...(refresh ? ['--refresh'] : []), ...retryOptions(attributes)].join(' ')

/** Command that retries a workflow run. */
export const retryRunCommand = (id: string, { version, run_at: runAt, ...attributes }: WorkflowRunAttributes): string =>
  [
    'sluice workflow-runs retry',
    id,
    ...(version === undefined ? [] : [`version=${version}`]),
    ...(runAt === undefined ? [] : [`run_at=${runAt}`]),
    ...retryOptions(attributes),
  ].join(' ')

/** Attributes as `name=value`; objects as JSON, so that texts that look like numbers stay texts. */
const optionsOf = ({ skip_steps: skip = [], ...attributes }: RunAttributes): string[] => [
  ...Object.entries(attributes).map(([name, value]) =>
    quoted(`${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`),
  ),
  ...skip.map(each => `--skip ${quoted(each)}`),
]

/** A retry takes its changes as options. */
const retryOptions = ({
  skip_steps: skip = [],
  metadata = {},
  property_overrides: overrides = {},
}: Pick<RunAttributes, 'skip_steps' | 'metadata' | 'property_overrides'>) => [
  ...leavesOf(overrides).map(each => `--property ${quoted(each)}`),
  ...Object.entries(metadata).map(([name, value]) => `--metadata ${quoted(`${name}=${argumentText(value)}`)}`),
  ...skip.map(each => `--skip ${quoted(each)}`),
]

/** `web.port=443` for each value; names with dots or brackets are bracketed. */
const leavesOf = (data: Readonly<Record<string, unknown>>, above = ''): string[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const key = /[.[\]=]/.test(name) ? `${above}[${name}]` : above === '' ? name : `${above}.${name}`
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isObject && Object.keys(value).length > 0) return leavesOf(value as Readonly<Record<string, unknown>>, key)
    return [`${key}=${argumentText(value)}`]
  })

/** Value of an option as the command line reads it; there @ names a file, and single quotes are quotes. */
export const argumentText = (value: unknown): string =>
  typeof value === 'string' && /^@|^'.*'$/.test(value) ? JSON.stringify(value) : typedText(value)
