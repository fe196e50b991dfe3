import { isSuperuser, may } from './may.ts'
import { anyNode, shownNode } from './node-views.ts'
import {
  answered,
  attribute,
  type Body,
  type Cause,
  condition,
  type Drawing,
  descriptions,
  drawn,
  maybeNames,
  type Question,
  surprise,
  times,
} from './predicted.ts'
import { childrenOf, isBelow, type Node, type Rule, removeFrom, type World } from './world.ts'

export const reads = (world: World, by: string, node: Node): boolean => may(world, by, 'read', node.path)

/** Fault of an unknown version: a version other than the current one must be readable by the caller. */
function unknownVersion(world: World, by: string, node: Node, attributes: Record<string, unknown>): Cause[] {
  const version = attributes['template_version']
  if (version === undefined || version === node.templateVersion) return []
  const template = node.type === 'asset' ? 'web' : 'bot'
  const isKnown = version !== '9' && may(world, by, 'read', `/projects/bank/templates/${template}`)
  return isKnown ? [] : [{ code: 'invalid', at: attribute('template_version') }]
}

export function patchNode({ world, chance, by }: Drawing): Question {
  const node = anyNode({ world, chance, by })
  const isTemplated = node.type === 'asset' || node.type === 'agent'
  const wrongCode = [...times(20, [undefined] as const), ['other', 'unknown-attribute'] as const]
  const { attributes, malformed, invalid } = drawn(chance, {
    name: maybeNames,
    description: descriptions,
    archived: [
      ...times(8, [undefined] as const),
      ...times(node.archived ? 12 : 2, [false] as const),
      [true],
      ['banana', 'invalid'],
    ],
    ...(isTemplated && {
      template_version: [...times(9, [undefined] as const), ['1'], ['2'], ['9']],
    }),
    code: wrongCode,
    surprise,
  })
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      malformed,
      missing: !reads(world, by, node),
      forbidden: () => !may(world, by, 'update', node.path),
      stale,
      conflicts: () => refusedAsArchived(node, attributes, invalid),
      invalid: () => invalid,
      inTheWay: () => inTheWay(world, by, node, attributes),
      impossible: () => unknownVersion(world, by, node, attributes),
    },
    {
      status: 200,
      effect: () => {
        const { name, description, archived, template_version } = attributes
        if (name !== undefined) node.name = String(name)
        if (description !== undefined) node.description = String(description ?? '')
        if (archived !== undefined) node.archived = archived === true
        if (template_version !== undefined) node.templateVersion = String(template_version)
      },
      shows: body => shownNode(world, by, node)(body),
    },
  )
  return { method: 'PATCH', path: node.path, by, attributes, ...(headers && { headers }), predicted }
}

/**
 * An archived node only accepts its restoring; archiving it again is not a change. An invalid value is not a request to
 * restore.
 */
function refusedAsArchived(node: Node, attributes: Record<string, unknown>, invalid: readonly Cause[]): Cause[] {
  const asked = Object.keys(attributes).filter(name => invalid.every(({ at }) => at !== attribute(name)))
  const { archived } = attributes
  if (!node.archived || archived === false || (archived === true && asked.length === 1)) return []
  return [{ code: 'archived' }]
}

function inTheWay(world: World, by: string, node: Node, { archived }: Record<string, unknown>): Cause[] {
  if (node.archived && archived === false && node.parent?.archived) return [{ code: 'archived' }]
  return !node.archived && archived === true ? usesOf(world, by, node) : []
}

/** Records that use a node: unarchived children, and running or scheduled activities. Unreadable ones are not named. */
function usesOf(world: World, by: string, node: Node): Cause[] {
  const children = childrenOf(world, node).filter(each => !each.archived)
  const schedules = world.schedules.filter(each => each.node === node && each.enabled)
  const changes = world.changes.filter(each => each.node === node && each.cancelledBy === null)
  const uses = children.map(child => `${child.type} ${reads(world, by, child) ? child.path : 'hidden'}`)
  const others = schedules.length + changes.length
  if (uses.length + others === 0) return []
  const meta = ({ in_use }: Body) => {
    const told: string[] = in_use.map(({ type, path }: { type: string; path: string }) => `${type} ${path}`)
    const [ofNodes, rest] = [true, false].map(each => told.filter(use => isOfNode.test(use) === each))
    return [
      [ofNodes!.toSorted(), uses.toSorted()],
      [rest!.length, others],
    ] as const
  }
  return [{ code: 'in-use', meta }]
}

const isOfNode = /^(environment|asset|agent) /

export function deleteNode({ world, chance, by }: Drawing): Question {
  const node = anyNode({ world, chance, by })
  const force = node.type !== 'project' && chance.is(0.4) && (!isSuperuser(world, by) || chance.is(0.5))
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      missing: !reads(world, by, node),
      forbidden: () => (force ? !isSuperuser(world, by) : !may(world, by, 'update', node.path)),
      stale,
      inTheWay: () => (!force && !node.archived ? usesOf(world, by, node) : []),
    },
    {
      status: 204,
      effect: () => (force ? destroy(world, node) : Object.assign(node, { archived: true })),
    },
  )
  const path = `${node.path}${force ? '?ignore_in_use=true' : ''}`
  return { method: 'DELETE', path, by, ...(headers && { headers }), predicted }
}

function destroy(world: World, node: Node): void {
  for (const list of [world.bookmarks, world.schedules, world.changes])
    removeFrom<{ node: Node }>(list, each => isBelow(each.node, node))
  removeFrom(world.nodes, each => isBelow(each, node))
  // A new node with that code starts without rules.
  const { rules, ties } = world.rights
  const isGone = ({ path }: Rule) => path === node.path || path.startsWith(`${node.path}/`)
  removeFrom(ties, ({ rule }) => isGone(rule))
  removeFrom(rules, isGone)
}
