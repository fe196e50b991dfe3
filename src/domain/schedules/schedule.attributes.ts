import Type from 'typebox'
import { notifySchema } from '../changes/index.ts'
import { nameSchema } from '../nodes/index.ts'
import type { Written } from './schedule.store.ts'

export const name = nameSchema
/** Paths may hold anything. */
const glob = (describe: string) => Type.String({ minLength: 1, maxLength: 255, description: describe })
const or = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const document = (describe: string) => Type.Object({}, { additionalProperties: true, description: describe })
const time = (describe: string) => Type.String({ format: 'date-time', description: describe })

/** What may be left out, of which null says the same. */
const attributes = {
  action: name('The action that its changes run.'),
  workflow_code: name('Of a project, in the place of action: the workflow that its runs are of.'),
  version: or(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Published version of the workflow; default the latest.',
    }),
  ),
  cron_schedule: or(name('When it is due: five fields, six with seconds first, or @daily and the like.')),
  run_at: or(time('When it is due, in the place of cron_schedule: once.')),
  time_zone: name('IANA name of the zone whose clock the expression speaks of; default UTC.'),
  repeat: Type.Boolean({ description: 'Whether it comes due again; default true with cron_schedule.' }),
  maximum_run_count: or(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  end_at: or(time('After this time it is not due any more.')),
  enabled: Type.Boolean({ description: 'Whether it makes anything; default true.' }),
  new_commits_only: Type.Boolean({ description: 'Only when it has not used the commit of its revision.' }),
  commit_file_patterns: Type.Array(
    Type.Object(
      { match: glob('A glob over paths in the repository.'), negate: Type.Optional(Type.Boolean()) },
      { additionalProperties: false },
    ),
    { maxItems: 100, description: 'And only when that commit touches a file that is meant by these.' },
  ),
  commit_file_pattern_match: Type.Enum(['any', 'all'], { description: 'By any of the patterns, or by all.' }),
  allow_parallel_execution: Type.Boolean({ description: 'Also while an earlier one is at work; default false.' }),
  git_remote_name: or(name('Of a project or environment: where its actions come from.')),
  git_rev: or(name('Of a project or environment: branch, tag or commit.')),
  template_version: or(name('Of an asset: another version of its template than the one it has.')),
  metadata: document('Whatever helps to find its changes again.'),
  property_overrides: document('The most specific layer of the properties of its changes.'),
  settings_overrides: document('Settings for its changes alone.'),
  skip_steps: Type.Array(glob('A glob over the full path of steps.'), { maxItems: 1_000 }),
  starting_step: or(
    Type.String({ minLength: 1, maxLength: 16_384, description: 'Full path of the step to begin with.' }),
  ),
  auto_continue_wait_steps: Type.Boolean({
    description: 'Waits of its changes at which nobody has to be asked anything are over at once.',
  }),
  build_without_cache: Type.Boolean({
    description: 'Where its changes run in an image of their own, that is built anew.',
  }),
  notify: or(notifySchema),
} as const

/** Attributes that say when a schedule is due: what a preview takes. */
export const timing = Object.fromEntries(
  (['cron_schedule', 'run_at', 'time_zone', 'repeat', 'maximum_run_count', 'end_at'] as const).map(key => [
    key,
    Type.Optional(attributes[key] as Type.TSchema),
  ]),
)

/** `2027-03-28T03:00:00+02:00`: with the offset of the schedule's zone. */
export const nextDueTimesSchema = Type.Array(Type.String({ format: 'date-time' }), { maxItems: 5 })

/** What a schedule takes beside its action. */
export const optional = Object.fromEntries(
  Object.entries(attributes).map(([key, each]) => [key, Type.Optional(each as Type.TSchema)]),
)
/** What its events carry of a request: no documents. */
export const eventBody = Object.keys(attributes).filter(
  key => !['metadata', 'property_overrides', 'settings_overrides', 'notify'].includes(key),
)

/** What holds where nothing is said. */
export const usual: Written = {
  action: null,
  workflow_code: null,
  version: null,
  cron_schedule: null,
  run_at: null,
  time_zone: 'UTC',
  repeat: true,
  maximum_run_count: null,
  end_at: null,
  enabled: true,
  new_commits_only: false,
  commit_file_patterns: [],
  commit_file_pattern_match: 'any',
  allow_parallel_execution: false,
  git_remote_name: null,
  git_rev: null,
  template_version: null,
  metadata: {},
  property_overrides: {},
  settings_overrides: {},
  skip_steps: [],
  starting_step: null,
  auto_continue_wait_steps: false,
  build_without_cache: false,
  notify: null,
}
