import Type from 'typebox'
import type { Need } from '#platform/actor.ts'
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
import { changeAttributes } from '#platform/documents/document.commands.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { Runtime } from '#platform/domain.ts'
import { type Failure, failure, missing } from '#platform/failure.ts'
import {
  findNode,
  findNodeAt,
  findNodeById,
  lockUnarchived,
  type Node,
  nodePaths,
  refuseArchived,
} from '../nodes/index.ts'
import { notOfSteps } from '../users/index.ts'
import { type Checking, checked } from './checked-schedule.tx.ts'
import { catchUpOf, noteDue } from './come-due.tx.ts'
import { notOffered, type Offered } from './not-offered.ts'
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  lockSchedule,
  openDocument,
  openNotify,
  type Schedule,
  type Written,
  writeSchedule,
} from './schedule.store.ts'
import { schedulesPath } from './schedule.ts'
import { eventBody, name, optional, usual } from './schedule-attributes.ts'
import { aboutSchedule, executePath, nameOf, namesOfKind } from './schedule-kinds.ts'

export interface ScheduleParts extends Checking, Pick<Runtime, 'record'> {
  readonly offered: Offered
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

type OnNode = Target & { readonly node?: Node }

/**
 * Command that creates a schedule. Its creator needs the right to change schedules of the node, and to run the action:
 * it runs in their name.
 */
function create(
  parts: Checking & Pick<ScheduleParts, 'offered'>,
  where: { name: string; paths: readonly string[]; anywhere: boolean },
): AnyCommand {
  return command<Given, OnNode>({
    name: where.name,
    summary: where.anywhere
      ? 'Run an action, or a workflow, on the node in parent_path on a schedule'
      : 'Run an action on this node, or a workflow of this project, on a schedule',
    method: 'POST',
    paths: where.paths,
    status: 201,
    event: 'api:scheduled_changes:create',
    eventBody: where.anywhere ? [...eventBody, 'parent_path'] : eventBody,
    attributes: Type.Object(
      {
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
    needs: ({ node }, { attributes }, actor) => [
      ...notOfSteps(actor, 'make a schedule', 'let a person make it, or start the change or the run itself'),
      ...(node ? [{ right: 'update', path: schedulesPath(node.path) } as const, ...toExecute(node, attributes)] : []),
    ],
    refuse: ({ node }) => (node && refusal(node)) ?? refuseArchived({ node }),
    run: async (context, found, { attributes: { parent_path, ...given } }) => {
      const node = found.node!
      await lockUnarchived(context.tx, node)
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
      return done({
        id,
        event: { ...aboutSchedule({ ...written, id }, node), type: eventOf(written, 'create') },
        afterwards: () => notOffered(parts.offered, node, written),
      })
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

/** Right to run what the schedule runs: the names in the body, before they are validated. */
const toExecute = (node: Node, { action, workflow_code }: Given): Need[] => {
  if (typeof action === 'string')
    return [{ right: 'execute', path: executePath(node.path, { action, workflow_code: null }) }]
  if (typeof workflow_code !== 'string') return []
  return [{ right: 'execute', path: executePath(node.path, { action: null, workflow_code }) }]
}

const eventOf = (runs: Pick<Written, 'action' | 'workflow_code'>, what: 'create' | 'update' | 'destroy') =>
  `api:${namesOfKind(runs).controller}:${what}`

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
 * Command that updates a schedule. Its changes remain in the name of its creator, so the caller needs the right to run
 * its action as well. A new timing applies from now on; earlier due times are not lost.
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
    attributes: Type.Object(optional, { additionalProperties: false }),
    answers: 'scheduled_change',
    needs: ({ schedule, node }, { attributes }, actor) => [
      ...notOfSteps(actor, 'change a schedule', 'let a person change it, or start the change or the run itself'),
      { right: 'update', path: schedule.path },
      { right: 'execute', path: executePath(node.path, schedule) },
      ...toExecute(node, attributes),
    ],
    refuse: refuseArchived,
    run: async (context, { node, schedule }, { attributes: given }) => {
      const { id } = schedule
      const { tx } = context
      await lockUnarchived(tx, node)
      const before = await lockSchedule(tx, id)
      // The caller's right was checked for the stored values, or those cannot be checked.
      if (!before || nameOf(before) !== nameOf(schedule))
        throw failure('wrong-state', 'The schedule was changed or deleted meanwhile: look at it again.')
      context.requireMatch(before.row_version)
      const current = writtenOf(parts.keyring, before)
      // Another kind of due time replaces the old one, with everything that it implies.
      const kind =
        given.run_at && given.cron_schedule === undefined
          ? { cron_schedule: null, repeat: false }
          : given.cron_schedule && given.run_at === undefined
            ? { run_at: null, ...(before.run_at !== null && { repeat: true }) }
            : {}
      const { written, next } = await checked(parts, context, node, { ...current, ...kind, ...given }, before)
      if (same(current, written)) return unchanged(id)
      // Due times up to now remain due, also those that no process has noticed yet.
      if (next !== before.next_run_at) {
        const enqueue: Runtime['enqueue'] = (_, ...job) => context.enqueue(...job)
        await noteDue({ record: parts.record, enqueue }, tx, id, await catchUpOf(parts.settings, tx))
      }
      await writeSchedule(tx, parts.keyring, id, written, next)
      return done({
        id,
        event: changed({ ...written, id }, node, current),
        afterwards: () => notOffered(parts.offered, node, written),
      })
    },
  })

const destroy: AnyCommand = command<never, OnSchedule>({
  ...onSchedule,
  name: 'scheduled_activities.delete',
  summary: 'Delete a schedule; the changes that it created stay',
  method: 'DELETE',
  paths: ['/api/scheduled_activities/:id'],
  status: 204,
  event: 'api:scheduled_changes:destroy',
  eventBody: [],
  needs: ({ schedule }) => [{ right: 'delete', path: schedule.path }],
  run: async ({ tx, requireMatch }, { schedule, node }): Promise<Outcome> => {
    const before = await lockSchedule(tx, schedule.id)
    // It was deleted after it was found; this is reported.
    if (!before) throw missing()
    requireMatch(before.row_version)
    await deleteSchedule(tx, schedule.id)
    return done({ event: { ...aboutSchedule(schedule, node), type: eventOf(schedule, 'destroy') } })
  },
})

/** Event of an update: it contains no documents, only whether they were changed. */
function changed(written: Written & { readonly id: string }, node: Node, before: Written) {
  const { attributes, ...about } = aboutSchedule(written, node)
  const changes = changeAttributes(documentsOf(before), documentsOf(written))
  const told = changes.changed_pointers.length > 0 ? { ...attributes, ...changes } : attributes
  return { ...about, attributes: told, type: eventOf(written, 'update') }
}

const documentsOf = ({ metadata, property_overrides, settings_overrides, notify }: Written): JsonObject => ({
  metadata,
  property_overrides,
  settings_overrides,
  notify,
})

function writtenOf(keyring: Keyring, schedule: Schedule): Written {
  const own = Object.fromEntries(Object.keys(usual).map(key => [key, schedule[key as keyof Written]]))
  return {
    ...(own as unknown as Written),
    property_overrides: openDocument(keyring, schedule, 'property_overrides'),
    settings_overrides: openDocument(keyring, schedule, 'settings_overrides'),
    notify: openNotify(keyring, schedule),
  }
}

const same = (a: Written, b: Written): boolean =>
  Object.keys(usual).every(key => JSON.stringify(a[key as keyof Written]) === JSON.stringify(b[key as keyof Written]))
