import { may } from './may.ts'
import { anyNode, shownNode } from './node-views.ts'
import { reads } from './nodes.ts'
import {
  answered,
  attribute,
  type Body,
  type Cause,
  type Drawing,
  descriptions,
  drawn,
  names,
  type Question,
  surprise,
  times,
} from './predicted.ts'
import { childTypes, collections, type Node, type NodeType, siblingCalled, type World } from './world.ts'

/** Codes do not have the form of an id; this is checked when the rest is valid. */
const idLike = '01900000-0000-7000-8000-00000000dead'
const codes = ['front', 'Front', 'back', 'live', 'LIVE', 'x-1']
const codeValues = [
  ...times(4, codes)
    .flat()
    .map(code => [code] as const),
  ['-x', 'invalid'] as const,
  [idLike] as const,
  [undefined, 'required'] as const,
]

const idLikeCode = [{ code: 'invalid', at: attribute('code') }]

export function createProject({ world, chance, by }: Drawing): Question {
  const project_type = [[undefined], ['Enterprise'], ['Standard'], ['Other', 'invalid']] as const
  const { attributes, malformed, invalid } = drawn(chance, {
    code: codeValues,
    name: [...names, [undefined, 'required']],
    description: descriptions,
    project_type,
    surprise,
  })
  const predicted = answered(
    {
      malformed,
      forbidden: () => !may(world, by, 'update', '/projects'),
      invalid: () => invalid,
      inTheWay: () => taken(world, null, 'project', attributes['code']),
      impossible: () => (attributes['code'] === idLike ? idLikeCode : []),
    },
    made(world, by, 'project', null, attributes),
  )
  return { method: 'POST', path: '/projects', by, attributes, predicted }
}

export function createNode({ world, chance, by }: Drawing): Question {
  const parent = anyNode({ world, chance, by }, ({ type }) => type === 'project' || type === 'environment')
  const type = chance.of(
    parent.type === 'project' ? (['environment', 'asset', 'agent'] as const) : (['asset'] as const),
  )
  const { attributes, malformed, invalid } = drawn(chance, {
    code: codeValues,
    name: [...names, [undefined, 'required']],
    description: descriptions,
    surprise,
    ...(type !== 'environment' && {
      template_code: times(9, [type === 'asset' ? 'web' : 'bot'] as const),
      template_version: [...times(4, ['1'] as const), ...times(4, ['2'] as const), [undefined, 'required']],
    }),
  })
  const path = `${parent.path}/${collections[type]}`
  const predicted = answered(
    {
      malformed,
      missing: !reads(world, by, parent),
      forbidden: () => !may(world, by, 'update', path),
      conflicts: () => [
        ...(childTypes(parent).includes(type) ? [] : [{ code: 'not-supported-here' }]),
        ...(parent.archived ? [{ code: 'archived' }] : []),
      ],
      invalid: () => invalid,
      inTheWay: () => taken(world, parent, type, attributes['code']),
      impossible: () => (attributes['code'] === idLike ? idLikeCode : unknownTemplate(world, by, parent, attributes)),
    },
    made(world, by, type, parent, attributes),
  )
  return { method: 'POST', path, by, attributes, predicted }
}

const taken = (world: World, parent: Node | null, type: NodeType, code: unknown): Cause[] =>
  typeof code === 'string' && siblingCalled(world, parent, type, code) ? [{ code: 'code-taken' }] : []

/** Only the bank has templates, for callers who may read them. */
function unknownTemplate(world: World, by: string, parent: Node, attributes: Record<string, unknown>): Cause[] {
  const code = attributes['template_code']
  if (code === undefined) return []
  const project = parent.parent ?? parent
  const isKnown = project.code === 'bank' && may(world, by, 'read', `${project.path}/templates/${code}`)
  return isKnown ? [] : [{ code: 'invalid', at: attribute('template_code') }]
}

function made(world: World, by: string, type: NodeType, parent: Node | null, attributes: Record<string, unknown>) {
  return {
    status: 201,
    effect: ({ data }: Body) => {
      world.nodes.push({
        id: data.id,
        type,
        code: String(attributes['code']),
        path: `${parent?.path ?? ''}/${collections[type]}/${attributes['code']}`,
        parent,
        projectType: parent?.projectType ?? ((attributes['project_type'] ?? 'Enterprise') as Node['projectType']),
        createdBy: by,
        name: String(attributes['name']),
        description: String(attributes['description'] ?? ''),
        archived: false,
        templateVersion: (attributes['template_version'] as string | undefined) ?? null,
        properties: { kind: 'properties', id: data.relationships.properties.data.id, versions: [{}] },
        settings: { kind: 'settings', id: data.relationships.settings.data.id, versions: [{}] },
      })
    },
    shows: (body: Body) => shownNode(world, by, world.nodes.at(-1)!)(body),
  }
}
