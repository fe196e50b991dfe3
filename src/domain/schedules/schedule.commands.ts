import Type from 'typebox'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Outcome,
  type Request,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Json } from '#platform/documents/document.ts'
import { Failure, type Fault, failure } from '#platform/failure.ts'
import { actionPath, originOf } from '../changes/index.ts'
import { eventNode, findNode, findNodeAt, findNodeById, holdUnarchived, type Node, nodePaths } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { type SettingsReader, settingsFaults } from '../settings/index.ts'
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  instants,
  lockSchedule,
  openDocument,
  type Schedule,
  type Written,
  writeSchedule,
} from './schedule.store.ts'
import { nextRunAt, scheduleFaults, schedulesPath } from './schedule.ts'

export interface ScheduleParts {
  readonly keyring: Keyring
  readonly settings: SettingsReader
}

export const scheduleCommands = (parts: ScheduleParts): AnyCommand[] => [
  create(parts, { name: 'scheduled_activities.create', paths: ['/api/scheduled_activities'], anywhere: true }),
  create(parts, {
    name: 'scheduled_activities.create_on_node',
    paths: nodePaths.map(path => `/api${path}/scheduled_activities`),
    anywhere: false,
  }),
  update(parts),
  destroy,
]

type Given = Partial<Written> & { readonly parent_path?: string }

const name = (describe: string) => Type.String({ minLength: 1, maxLength: 255, description: describe })
const or = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const document = (describe: string) => Type.Object({}, { additionalProperties: true, description: describe })
const time = (describe: string) => Type.String({ format: 'date-time', description: describe })

/** What may be left out, of which null says the same. */
const attributes = {
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
      { match: name('A glob over paths in the repository.'), negate: Type.Optional(Type.Boolean()) },
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
  skip_steps: Type.Array(name('A glob over the full path of steps.'), { maxItems: 1_000 }),
  starting_step: or(
    Type.String({ minLength: 1, maxLength: 16_384, description: 'Full path of the step to begin with.' }),
  ),
} as const

const optional = Object.fromEntries(
  Object.entries(attributes).map(([key, each]) => [key, Type.Optional(each as Type.TSchema)]),
)
const eventBody = Object.keys(attributes)
  .filter(key => !['metadata', 'property_overrides', 'settings_overrides'].includes(key))
  .concat('action')

const usual: Written = {
  action: '',
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
}

type OnNode = Target & { readonly node?: Node }

/** Whoever makes a schedule may change those of the node, and run the action themselves: it runs in their name. */
function create(
  parts: ScheduleParts,
  where: { name: string; paths: readonly string[]; anywhere: boolean },
): AnyCommand {
  return command<Given & { action: string }, OnNode>({
    name: where.name,
    summary: where.anywhere
      ? 'Run an action on the node that parent_path names, when it is due'
      : 'Run an action on this node, when it is due',
    method: 'POST',
    paths: where.paths,
    status: 201,
    event: 'api:scheduled_changes:create',
    eventBody: where.anywhere ? [...eventBody, 'parent_path'] : eventBody,
    attributes: Type.Object(
      {
        action: name('The action that its changes run.'),
        ...optional,
        ...(where.anywhere && { parent_path: name('Path of a node: /projects/bank/assets/web.') }),
      },
      { additionalProperties: false },
    ),
    answers: 'scheduled_change',
    find: async ({ tx }, request) => {
      if (!where.anywhere) return about(await findNode(tx, request.params))
      const path = request.attributes.parent_path
      return typeof path === 'string' ? about(await findNodeAt(tx, path)) : {}
    },
    needs: ({ node }, { attributes: { action } }) =>
      node
        ? [
            { right: 'update', path: schedulesPath(node.path) },
            ...(typeof action === 'string'
              ? ([{ right: 'execute', path: actionPath(node.path, action) }] as const)
              : []),
          ]
        : [],
    refuse: ({ node }) => (node ? refusal(node) : undefined),
    run: async (context, found, { attributes: { parent_path, ...given } }) => {
      const node = found.node!
      await holdUnarchived(context.tx, node)
      const wanted = { ...usual, ...given, repeat: given.repeat ?? !given.run_at }
      const { written, next } = await checked(parts, context, node, wanted, undefined)
      const { actor } = context
      const place = {
        nodeId: node.id,
        projectId: node.project_id,
        path: schedulesPath(node.path),
        createdBy: actor.username,
        userId: actor.userId,
      }
      const id = await insertSchedule(context.tx, parts.keyring, place, written, next)
      return done({ id, event: aboutSchedule({ id, action: written.action }, node) })
    },
  })
}

const about = (node: Node | undefined): OnNode | undefined => node && { node, readPath: node.path }

function refusal(node: Node): Failure | undefined {
  if (node.node_type === 'agent') return failure('not-supported-here', 'Agents have no changes, and so no schedules.')
  if (node.node_type === 'project' && node.project_type === 'Standard')
    return failure('not-supported-here', 'A Standard project has no schedules of its own; its environments have.')
  return undefined
}

interface OnSchedule extends Target {
  readonly schedule: Schedule
  readonly node: Node
}

const onSchedule = {
  find: async ({ tx }: Context, { params }: Request<unknown>): Promise<OnSchedule | undefined> => {
    const schedule = await findSchedule(tx, params['id']!)
    const node = schedule && (await findNodeById(tx, schedule.node_id))
    return node && { schedule, node, readPath: schedule.path, rowVersion: schedule.row_version }
  },
}

/**
 * Its changes stay in the name of whoever made it, so that who changes it has to be allowed to run its action as well.
 * What changes when it is due has it counted on from now.
 */
const update = (parts: ScheduleParts): AnyCommand =>
  command<Given, OnSchedule>({
    ...onSchedule,
    name: 'scheduled_activities.update',
    summary: 'Change a schedule, or enable it again',
    method: 'PATCH',
    paths: ['/api/scheduled_activities/:id'],
    status: 200,
    event: 'api:scheduled_changes:update',
    eventBody,
    attributes: Type.Object(
      { action: Type.Optional(name('The action that its changes run.')), ...optional },
      { additionalProperties: false },
    ),
    answers: 'scheduled_change',
    needs: ({ schedule, node }, { attributes: { action } }) => [
      { right: 'update', path: schedule.path },
      { right: 'execute', path: actionPath(node.path, schedule.action) },
      ...(typeof action === 'string' && action !== schedule.action
        ? ([{ right: 'execute', path: actionPath(node.path, action) }] as const)
        : []),
    ],
    run: async (context, { node, schedule: { id } }, { attributes: given }) => {
      const { tx } = context
      await holdUnarchived(tx, node)
      const before = await lockSchedule(tx, id)
      if (!before) throw failure('wrong-state', 'The schedule has been deleted meanwhile.')
      const stands = writtenOf(parts, before)
      // With another kind of due time the old one goes, and with it what it implies.
      const kind =
        given.run_at && given.cron_schedule === undefined
          ? { cron_schedule: null, repeat: false }
          : given.cron_schedule && given.run_at === undefined
            ? { run_at: null, ...(before.run_at !== null && { repeat: true }) }
            : {}
      const { written, next } = await checked(parts, context, node, { ...stands, ...kind, ...given }, before)
      if (same(stands, written)) return unchanged(id)
      await writeSchedule(tx, parts.keyring, id, written, next)
      return done({ id, event: aboutSchedule({ id, action: written.action }, node) })
    },
  })

const destroy: AnyCommand = command<never, OnSchedule>({
  ...onSchedule,
  name: 'scheduled_activities.delete',
  summary: 'Delete a schedule; the changes that it made stay',
  method: 'DELETE',
  paths: ['/api/scheduled_activities/:id'],
  status: 204,
  event: 'api:scheduled_changes:destroy',
  eventBody: [],
  needs: ({ schedule }) => [{ right: 'delete', path: schedule.path }],
  run: async ({ tx }, { schedule, node }): Promise<Outcome> => {
    await deleteSchedule(tx, schedule.id)
    return done({ event: aboutSchedule(schedule, node) })
  },
})

/** What an event says of the schedule that it is about. */
export const aboutSchedule = ({ id, action }: Pick<Schedule, 'id' | 'action'>, node: Node) => ({
  source: { type: 'scheduled_change', id },
  node: eventNode(node),
  attributes: { name: action },
})

function writtenOf({ keyring }: ScheduleParts, schedule: Schedule): Written {
  const own = Object.fromEntries(Object.keys(usual).map(key => [key, schedule[key as keyof Written]]))
  return {
    ...(own as unknown as Written),
    property_overrides: openDocument(keyring, schedule, 'property_overrides'),
    settings_overrides: openDocument(keyring, schedule, 'settings_overrides'),
  }
}

const same = (a: Written, b: Written): boolean =>
  Object.keys(usual).every(key => JSON.stringify(a[key as keyof Written]) === JSON.stringify(b[key as keyof Written]))

/** The schedule as it is to be stored, and when it is due next. @throws Failure with everything that is wrong */
async function checked(
  { settings }: ScheduleParts,
  { tx }: Context,
  node: Node,
  wanted: Written,
  before: Schedule | undefined,
): Promise<{ written: Written; next: string | null }> {
  const { now, run_at, end_at } = await instants(tx, wanted)
  const written = { ...wanted, run_at, end_at }
  const times = { ...written, run_count: before?.run_count ?? 0 }
  const fault = (attribute: string, detail: string): Fault => ({
    code: 'invalid',
    detail,
    source: { pointer: `/data/attributes/${attribute}` },
  })
  refuseAll(scheduleFaults(times).map(({ attribute, detail }) => fault(attribute, detail)))
  const next = nextRunAt(times, now)
  const newRunAt = run_at !== null && run_at !== before?.run_at
  if (newRunAt && run_at <= now) throw new Failure([fault('run_at', `It is past: it is ${now} now.`)])
  if (next === null && written.enabled && end_at !== null && end_at !== before?.end_at)
    throw new Failure([fault('end_at', 'It ends before it is ever due.')])
  await checkMade(settings, tx, node, written)
  return { written, next }
}

/** What its changes are made of: said now, and not in the night when it is due. */
async function checkMade(settings: SettingsReader, tx: Context['tx'], node: Node, written: Written): Promise<void> {
  checkProperties(written.property_overrides, node.path, '/data/attributes/property_overrides')
  const global = await settings.global(tx)
  const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
  refuseAll(settingsFaults(written.settings_overrides, 'change', listed, '/data/attributes/settings_overrides'))
  await originOf(tx, node, originAsked(written))
}

/** As a change takes them: what is not given is absent. */
export const originAsked = (schedule: Pick<Written, 'git_remote_name' | 'git_rev' | 'template_version'>) => ({
  ...(schedule.git_remote_name !== null && { git_remote_name: schedule.git_remote_name }),
  ...(schedule.git_rev !== null && { git_rev: schedule.git_rev }),
  ...(schedule.template_version !== null && { template_version: schedule.template_version }),
})

function refuseAll(faults: readonly Fault[]): void {
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}
