import Type from 'typebox'
import { type AnyCommand, command, done, unchanged } from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import { Failure, type Fault, missing } from '#platform/failure.ts'
import {
  aboutNode,
  asRecord,
  eventNode,
  findNode,
  lockNodesAt,
  type Node,
  nodesAt,
  updateNode,
} from '../nodes/index.ts'
import { giveVersion, unusable } from './node-template.resource.ts'
import { type FoundTemplate, templatePath } from './template.commands.ts'
import { type Template, templateByPath } from './template.store.ts'
import {
  assetsOfTemplate,
  findVersionNamed,
  shareVersionNamed,
  type TemplateVersion,
} from './template-version.store.ts'

interface Attributes {
  readonly asset_paths: readonly string[]
  readonly from_versions?: Readonly<Record<string, string>>
}

interface Found extends FoundTemplate {
  readonly version: TemplateVersion
  /**
   * Nodes of the request, in the order of their paths; a request that names a missing or unreadable one has been
   * refused.
   */
  readonly nodes: readonly Node[]
}

/** Number of assets that one transaction moves in about a second. */
const mostAssets = 1_000

/** Command with the effect of a PATCH of each asset, for all of them at once or for none. */
export const assignVersion: AnyCommand = command<Attributes, Found>({
  name: 'template_versions.assign_to_assets',
  summary: 'Assigns this version to assets of its template: to all given, or to none.',
  method: 'POST',
  paths: [`${templatePath}/versions/:version/assign_to_assets`],
  status: 200,
  event: 'api:template_versions:assign_to_assets',
  eventBody: ['asset_paths'],
  attributes: Type.Object(
    {
      asset_paths: Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
        minItems: 1,
        maxItems: mostAssets,
        description: 'Paths of assets, such as /projects/bank/environments/live/assets/web.',
      }),
      from_versions: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: Type.String({ maxLength: 100 }),
            description:
              'Version that each asset is expected to have now, by its path: 409 if one has another, which is neither this one nor the expected one.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  answers: 'template_version',
  // No locks yet: nodes are locked before versions, as in a change of one asset.
  find: async ({ tx, actor }, { params, attributes }) => {
    const node = await findNode(tx, { project_code: params['project_code'] ?? '' })
    const template = node && (await tx.one(templateByPath(params)))
    const version = template && (await findVersionNamed(tx, template.id, params['version'] ?? ''))
    if (!version || !actor.rights.may('read', template.path)) return undefined
    const asked = attributes.asset_paths ?? []
    const nodes = (await nodesAt(tx, asked)).filter(({ path }) => actor.rights.may('read', path))
    const there = new Set(nodes.map(({ path }) => path))
    refuse(asked, path =>
      there.has(path) ? undefined : { code: 'missing', detail: 'There is no such asset, or you may not read it.' },
    )
    return { node, template, version, nodes, readPath: template.path, rowVersion: version.row_version }
  },
  needs: ({ nodes }) => nodes.map(({ path }) => ({ right: 'update', path })),
  run: async (context, { node, template, version: { version: name }, nodes }, { attributes }) => {
    const { tx, actor } = context
    const paths = nodes.map(({ path }) => path)
    const assets = await lockNodesAt(tx, paths)
    const version = await shareVersionNamed(tx, template.id, name)
    // Deleted after it was found.
    if (!version || assets.length < nodes.length) throw missing()
    context.requireMatch(version.row_version)
    const why = unusable(version)
    if (why) throw new Failure([why])
    await refuseOthers(tx, template, assets, { ...attributes, name })
    let moved = 0
    for (const asset of assets) {
      if (!(await giveVersion(context, asRecord(asset), version))) continue
      moved += 1
      await updateNode(tx, asset.id, {})
      const event = aboutNode(asset, { template_code: template.code, template_version: name })
      await context.record({ type: 'api:nodes:update', actor, ...event })
    }
    if (moved === 0) return unchanged(version.id)
    const source = { type: 'template_version', id: version.id }
    const about = { name, template_code: template.code, moved_assets: moved }
    return done({ id: version.id, event: { source, node: eventNode(node), attributes: about } })
  },
})

/**
 * Refuses archived assets, then those that have another version than the caller has seen, and then nodes that are not
 * assets of this template.
 *
 * @param asked.name name of the version that is assigned
 */
async function refuseOthers(
  tx: Tx,
  template: Template,
  assets: readonly Node[],
  { asset_paths: asked, from_versions: expected = {}, name }: Attributes & { readonly name: string },
): Promise<void> {
  const at = new Map(assets.map(asset => [asset.path, asset]))
  refuse(asked, path =>
    at.get(path)?.archived
      ? { code: 'archived', detail: `${path} is archived: restore it first, with "archived": false.` }
      : undefined,
  )
  const ids = assets.map(({ id }) => id)
  const made = await assetsOfTemplate(tx, template.id, ids)
  const versions = new Map(made.map(({ node_id, version }) => [node_id, version]))
  const versionAt = (path: string) => versions.get(at.get(path)!.id)
  refuse(asked, path => {
    const [has, wanted] = [versionAt(path), expected[path]]
    if (has === undefined || wanted === undefined || has === wanted || has === name) return undefined
    return { code: 'stale-version', detail: `${path} has version "${has}" now, not "${wanted}": look at it again.` }
  })
  refuse(asked, path =>
    versionAt(path) === undefined
      ? { code: 'invalid', detail: `${path} is not made from the template "${template.code}".` }
      : undefined,
  )
  refuseUnasked(asked, expected)
}

/** Refuses expectations of assets that the request does not name. */
function refuseUnasked(asked: readonly string[], expected: Readonly<Record<string, string>>): void {
  const faults = Object.keys(expected)
    .filter(path => !asked.includes(path))
    .map((path): Fault => {
      const place = path.replaceAll('~', '~0').replaceAll('/', '~1')
      return {
        code: 'invalid',
        detail: `${path} is not among the asset_paths.`,
        source: { pointer: `/data/attributes/from_versions/${place}` },
      }
    })
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}

/** Refuses wrong paths: every one is reported, at its place in the request. */
function refuse(asked: readonly string[], faultOf: (path: string) => Fault | undefined): void {
  const faults = asked.flatMap((path, index) => {
    const fault = faultOf(path)
    return fault ? [{ ...fault, source: { pointer: `/data/attributes/asset_paths/${index}` } }] : []
  })
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}
