import { may } from './may.ts'
import { anyNode, list } from './node-views.ts'
import { answered, type Body, condition, type Drawing, drawn, type Question, surprise, times } from './predicted.ts'
import { type Change, type Node, removeFrom, type Schedule, type World } from './world.ts'

/** Records that block archiving a node: enabled schedules, and unfinished changes. */

export const assets = ({ nodes }: World): Node[] => nodes.filter(({ type }) => type === 'asset')

const anyAsset = (drawing: Drawing): Node => anyNode(drawing, ({ type }) => type === 'asset')

const crons = [...times(6, ['@yearly'] as const), ['never']] as const

export function createSchedule(drawing: Drawing): Question {
  const { world, chance, by } = drawing
  const node = anyAsset(drawing)
  const { attributes, malformed, invalid } = drawn(chance, {
    action: times(2, ['ask'] as const),
    cron_schedule: crons.filter(([cron]) => cron !== undefined),
    enabled: [[undefined], [true], [false], ['banana', 'invalid']],
    surprise,
  })
  const path = `${node.path}/scheduled_activities`
  const predicted = answered(
    {
      malformed,
      missing: !may(world, by, 'read', node.path),
      // It runs in the name of its creator.
      forbidden: () => !may(world, by, 'update', path) || !may(world, by, 'execute', actionPath(node)),
      conflicts: () => (node.archived ? [{ code: 'archived' }] : []),
      invalid: () => invalid,
      impossible: () =>
        attributes['cron_schedule'] === 'never' ? [{ code: 'invalid', at: '/data/attributes/cron_schedule' }] : [],
    },
    {
      status: 201,
      effect: ({ data }: Body) =>
        void world.schedules.push({ id: data.id, node, enabled: attributes['enabled'] !== false }),
      shows: body => shownSchedule(world.schedules.at(-1)!)(body),
    },
  )
  return { method: 'POST', path, by, attributes, predicted }
}

const shownSchedule =
  (schedule: Schedule) =>
  ({ data: { id, attributes } }: Body) =>
    [
      [id, schedule.id],
      [attributes.enabled, schedule.enabled],
    ] as const

const sees = (world: World, by: string, { node }: Schedule) =>
  may(world, by, 'read', `${node.path}/scheduled_activities`)

export function patchSchedule({ world, chance, by }: Drawing): Question {
  const path = '/scheduled_activities'
  const schedule = chance.of(world.schedules)
  const enabled = chance.of([true, false, false, 'banana'])
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      missing: !sees(world, by, schedule),
      forbidden: () =>
        !may(world, by, 'update', `${schedule.node.path}${path}`) ||
        !may(world, by, 'execute', actionPath(schedule.node)),
      stale,
      conflicts: () => (schedule.node.archived ? [{ code: 'archived' }] : []),
      invalid: () => (enabled === 'banana' ? [{ code: 'invalid', at: '/data/attributes/enabled' }] : []),
    },
    {
      status: 200,
      effect: () => Object.assign(schedule, { enabled: enabled === true }),
      shows: body => shownSchedule(schedule)(body),
    },
  )
  return {
    method: 'PATCH',
    path: `${path}/${schedule.id}`,
    by,
    attributes: { enabled },
    ...(headers && { headers }),
    predicted,
  }
}

export function deleteSchedule({ world, chance, by }: Drawing): Question {
  const path = '/scheduled_activities'
  const schedule = chance.of(world.schedules)
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      missing: !sees(world, by, schedule),
      forbidden: () => !may(world, by, 'delete', `${schedule.node.path}${path}`),
      stale,
    },
    { status: 204, effect: () => removeFrom(world.schedules, each => each === schedule) },
  )
  return { method: 'DELETE', path: `${path}/${schedule.id}`, by, ...(headers && { headers }), predicted }
}

export const listSchedules = (drawing: Drawing): Question => {
  const { world, by } = drawing
  return listed(drawing, 'scheduled_activities', schedule => sees(world, by, schedule), world.schedules)
}

function listed<T extends { id: string; node: Node }>(
  drawing: Drawing,
  collection: string,
  sees: (record: T) => boolean,
  records: readonly T[],
): Question {
  const { world, chance, by } = drawing
  const node = chance.is(0.3) ? undefined : anyAsset(drawing)
  const path = `${node?.path ?? ''}/${collection}`
  const seen = records.filter(record => (node === undefined || record.node === node) && sees(record))
  const missing = node !== undefined && !may(world, by, 'read', node.path)
  const predicted = answered({ missing }, list(world, by, node ? path : '/', seen))
  return { method: 'GET', path: `${path}?limit=1000`, by, predicted }
}

const actionPath = (node: Node) => `${node.path}/actions/ask`

export function createChange(drawing: Drawing): Question {
  const { world, chance, by } = drawing
  const node = anyAsset(drawing)
  const { attributes, malformed, invalid } = drawn(chance, {
    action: [...times(8, ['ask'] as const), [5, 'invalid'], [undefined, 'required']],
    metadata: [[undefined], [{ a: 1 }], ['text', 'invalid']],
    surprise,
  })
  const action = attributes['action'] === 'ask'
  const predicted = answered(
    {
      malformed,
      missing: !may(world, by, 'read', node.path),
      forbidden: () => action && !may(world, by, 'execute', actionPath(node)),
      conflicts: () => (node.archived ? [{ code: 'archived' }] : []),
      invalid: () => invalid,
    },
    {
      status: 201,
      effect: ({ data }: Body) => void world.changes.push({ id: data.id, node, createdBy: by, cancelledBy: null }),
      shows: body => shownChange(world, by, world.changes.at(-1)!)(body),
    },
  )
  return { method: 'POST', path: `${node.path}/changes`, by, attributes, predicted }
}

const shownChange =
  (world: World, by: string, change: Change) =>
  ({ data: { id, attributes, meta } }: Body) =>
    [
      [id, change.id],
      [(change.cancelledBy ? /^cancelled$/ : /^(initializing|pending)$/).test(attributes.status_code), true],
      [attributes.created_by, change.createdBy],
      [attributes.cancelled_by ?? null, change.cancelledBy],
      [meta.can.includes('cancel'), change.cancelledBy === null && may(world, by, 'execute', actionPath(change.node))],
    ] as const

function anyChange({ world, chance, by }: Drawing) {
  const change = chance.of(world.changes)
  return { change, path: `/changes/${change.id}`, missing: !may(world, by, 'read', change.node.path) }
}

export function showChange(drawing: Drawing): Question {
  const { change, path, missing } = anyChange(drawing)
  const shows = (body: Body) => shownChange(drawing.world, drawing.by, change)(body)
  return { method: 'GET', path, by: drawing.by, predicted: answered({ missing }, { status: 200, shows }) }
}

export function cancelChange(drawing: Drawing): Question {
  const { world, chance, by } = drawing
  const { change, path, missing } = anyChange(drawing)
  const purge = chance.is(0.2)
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      missing,
      forbidden: () => !may(world, by, purge ? 'delete' : 'execute', actionPath(change.node)),
      stale,
      conflicts: () => ((change.cancelledBy === null) === purge ? [{ code: 'wrong-state' }] : []),
    },
    {
      status: 204,
      effect: () => {
        if (purge) removeFrom(world.changes, each => each === change)
        else change.cancelledBy = by
      },
    },
  )
  return { method: 'DELETE', path: purge ? `${path}?purge=true` : path, by, ...(headers && { headers }), predicted }
}

export const listChanges = (drawing: Drawing): Question => {
  const { world, by } = drawing
  return listed(drawing, 'changes', ({ node }) => may(world, by, 'read', node.path), world.changes)
}
