import Type from 'typebox'
import { notifySchema } from '../changes/index.ts'
import { nameSchema } from '../nodes/index.ts'
import type { Written } from './schedule.store.ts'

export const name = nameSchema
/** Schema of a glob over paths, which may contain any character. */
const glob = (describe: string) => Type.String({ minLength: 1, maxLength: 255, description: describe })
const or = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const document = (describe: string) => Type.Object({}, { additionalProperties: true, description: describe })
const time = (describe: string) => Type.String({ format: 'date-time', description: describe })

/** Optional attributes, for which null means the default. */
const attributes = {
  action: name('The action that its changes run.'),
  workflow_code: name('On projects, instead of an action: the workflow to run.'),
  version: or(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Published version of the workflow; default the latest.',
    }),
  ),
  cron_schedule: or(name('Cron expression: five fields, six with seconds first, or @daily and the like.')),
  run_at: or(time('Single due time, instead of cron_schedule.')),
  time_zone: name('IANA time zone of the expression; default UTC.'),
  repeat: Type.Boolean({ description: 'Whether it is recurring; default true with cron_schedule.' }),
  maximum_run_count: or(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  end_at: or(time('It is not due after this time.')),
  enabled: Type.Boolean({ description: 'Whether it is enabled; default true.' }),
  new_commits_only: Type.Boolean({ description: 'Only when the commit of its revision is new to it.' }),
  commit_file_patterns: Type.Array(
    Type.Object(
      { match: glob('A glob over paths in the repository.'), negate: Type.Optional(Type.Boolean()) },
      { additionalProperties: false },
    ),
    { maxItems: 100, description: 'Only when that commit touches a file that matches these patterns.' },
  ),
  commit_file_pattern_match: Type.Enum(['any', 'all'], {
    description: 'Whether any of the patterns must match, or all.',
  }),
  allow_parallel_execution: Type.Boolean({
    description: 'Starts even while an earlier one is still running; default false.',
  }),
  git_remote_name: or(name('On projects and environments: the Git remote of the actions.')),
  git_rev: or(name('On projects and environments: branch, tag or commit.')),
  template_version: or(name('On assets: a template version other than the current one.')),
  metadata: document('Metadata of its changes, for filters.'),
  property_overrides: document('The most specific layer of the properties of its changes.'),
  settings_overrides: document('Settings for its changes only.'),
  skip_steps: Type.Array(glob('A glob over the full path of steps.'), { maxItems: 1_000 }),
  starting_step: or(
    Type.String({ minLength: 1, maxLength: 16_384, description: 'Full path of the first step to run.' }),
  ),
  auto_continue_wait_steps: Type.Boolean({
    description: 'Its changes skip every wait step that has no approvers and no argument without a default.',
  }),
  build_without_cache: Type.Boolean({
    description: 'Whether the image of its changes, if they have one, is rebuilt.',
  }),
  notify: or(notifySchema),
} as const

/** Attributes for when a schedule is due, which a preview takes. */
export const timing = Object.fromEntries(
  (['cron_schedule', 'run_at', 'time_zone', 'repeat', 'maximum_run_count', 'end_at'] as const).map(key => [
    key,
    Type.Optional(attributes[key] as Type.TSchema),
  ]),
)

/** `2027-03-28T03:00:00+02:00`: with the offset of the schedule's zone. */
export const nextDueTimesSchema = Type.Array(Type.String({ format: 'date-time' }), { maxItems: 5 })

/** Attributes of a schedule besides its action. */
export const optional = Object.fromEntries(
  Object.entries(attributes).map(([key, each]) => [key, Type.Optional(each as Type.TSchema)]),
)
/** Attributes of a request that its events contain: no documents. */
export const eventBody = Object.keys(attributes).filter(
  key => !['metadata', 'property_overrides', 'settings_overrides', 'notify'].includes(key),
)

/** Default attributes. */
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
