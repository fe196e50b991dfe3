import type { Queries } from '#platform/db/database.ts'
import { missing } from '#platform/failure.ts'
import { isUuid } from '#platform/jsonapi/kinds.ts'
import { pathsOfNodes } from './node.store.ts'
import { collections, type NodeType, nodeTypes, type PathParams } from './node.ts'

/** A node that a parameter names by its id. */
interface Named {
  readonly type: NodeType
  readonly id: string
}

/**
 * Parameters of a path with codes instead of ids, by which clients of JSON:API address records. No code has the form of
 * a UUID, so a parameter is never ambiguous. A node that is not below the rest of the path counts as missing; whether
 * the caller may read it is checked on the resulting path.
 *
 * @throws Failure missing
 */
export async function namedByIds(queries: Queries, params: PathParams): Promise<PathParams> {
  const named = nodeTypes.flatMap((type): Named[] => {
    const code = params[`${type}_code`]
    return code !== undefined && isUuid(code) ? [{ type, id: code.toLowerCase() }] : []
  })
  if (named.length === 0) return params
  const nodes = await pathsOfNodes(
    queries,
    named.map(({ id }) => id),
  )
  return named.reduce((codes: PathParams, { type, id }) => {
    const node = nodes.find(each => each.id === id && each.type === type)
    if (!node) throw missing()
    return joined(codes, type, codesOf(node.path))
  }, params)
}

/** Adds the codes of a node to the parameters, below those so far. */
function joined(params: PathParams, type: NodeType, own: PathParams): PathParams {
  const astray = collections[type].under.some(above => {
    const given = params[`${above}_code`]
    return given !== undefined && given !== own[`${above}_code`]
  })
  if (astray) throw missing()
  return { ...params, ...own }
}

/** `/projects/bank/environments/live` → {project_code: 'bank', environment_code: 'live'} */
function codesOf(path: string): PathParams {
  const parts = path.split('/').slice(1)
  const codes: Record<string, string> = {}
  for (let at = 0; at < parts.length; at += 2) {
    const type = nodeTypes.find(each => collections[each].name === parts[at])!
    codes[`${type}_code`] = decodeURIComponent(parts[at + 1]!)
  }
  return codes
}
