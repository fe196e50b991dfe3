import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import { hasKey, type Json, type JsonObject } from '#platform/documents/document.ts'
import type { VersionInForce } from '#platform/documents/document-store.ts'
import { lookUp } from '#platform/documents/json-patch.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { nearestTo } from '#platform/nearest-name.ts'
import { findNode, type Node, nodePaths } from '../nodes/index.ts'
import { catalogue } from './catalogue.ts'
import { convergeSettings, defaultSource, overrideSource } from './converge.ts'
import { convergeDateParameter, instantOf } from './converge-date.tx.ts'
import type { SettingsReader } from './converged.store.ts'
import { hideSecrets } from './hidden.ts'

/** One layer's effect on a value: the value that it sets there, or that it removes the inherited one. */
export interface LayerStatement {
  readonly source: string
  /**
   * Whether the value in force, or a part of it, is this layer's; without a value in force, whether this layer removed
   * it.
   */
  readonly wins: boolean
  readonly removes?: true
  readonly value?: Json
  /** Marker instead of the value, if the caller may not read the layer's own document. */
  readonly hidden?: true
  readonly version?: number
  readonly created_by?: string
  readonly created_at?: string
  readonly record?: string
}

/** The version that sets it: number, author, time and link; without its value for callers who may not read it. */
export const layerStatementOf = (
  { rights }: Actor,
  name: 'properties' | 'settings',
  version: Omit<VersionInForce, 'data'>,
  value: Json | undefined,
): Partial<LayerStatement> => ({
  version: version.version,
  created_by: version.created_by,
  created_at: version.created_at,
  record: `/api/${name}_versions/${version.version_id}`,
  ...(rights.may('read', version.path) ? value !== undefined && { value } : { hidden: true as const }),
})

/** The tokens of `pointer`, of a query string. */
export function tokensOfParameter(pointer: unknown): string[] {
  const text = String(pointer)
  if (!/^(\/([^~]|~[01])*)?$/.test(text)) {
    const detail = `pointer should be a JSON pointer: it begins with "/", "~" is written ~0 and "/" ~1, as /a/b.`
    throw failure('invalid', detail, { source: { parameter: 'pointer' } })
  }
  return text
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export const explainParameters = {
  pointer: {
    schema: Type.String({ maxLength: 10_000 }),
    describe: 'A JSON pointer into the converged document: `/a/b`.',
    required: true,
  },
  ...convergeDateParameter,
} as const

export const explanation = (
  node: Pick<Node, 'code' | 'path'>,
  name: 'properties' | 'settings',
  {
    pointer,
    value,
    layers,
  }: { readonly pointer: string; readonly value: Json | undefined; readonly layers: readonly LayerStatement[] },
): object => ({
  data: {
    id: node.code,
    type: `converged_${name}_explanation`,
    attributes: { pointer, is_set: value !== undefined, ...(value !== undefined && { value }), layers },
    links: {
      self: `/api${node.path}/converged_${name}/explain?pointer=${encodeURIComponent(pointer)}`,
      [`converged_${name}`]: `/api${node.path}/converged_${name}`,
    },
  },
})

/** GET …/converged_settings/explain: every level that states a setting, and which one is in force. */
export const explainSettings = (reader: SettingsReader): AnyView =>
  view<Node & { readonly readPath: string }>({
    name: 'converged_settings.explain',
    summary: 'Every level that states a setting, with version, author and time, and the level in force.',
    method: 'GET',
    paths: nodePaths.map(path => `/api${path}/converged_settings/explain`),
    parameters: explainParameters,
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params }) => {
      const node = await findNode(database, params)
      return node && { ...node, readPath: node.path }
    },
    needs: node => [{ right: 'read', path: `${node.path}/settings` }],
    run: async (node, { database, actor, query }) => {
      const at = await instantOf(database, query['converge_date'], node)
      const tokens = settingAt(query['pointer'])
      const key = tokens[0]!
      const levels = await reader.levels(database, node, at === undefined ? {} : { at })
      const stated = levels.filter(level => hasKey(level.data, key))
      const overridden = hasKey(reader.overrides, key)
      const standard = catalogue[key]!.default
      const valueIn = (settings: JsonObject) => lookUp(hideSecrets(settings), tokens)
      const unversioned = (source: string, settings: JsonObject, wins: boolean): LayerStatement => {
        const value = valueIn(settings)
        return { source, wins, ...(value !== undefined && { value }) }
      }
      const layers: LayerStatement[] = [
        ...(standard === undefined
          ? []
          : [unversioned(defaultSource, { [key]: standard as Json }, !overridden && stated.length === 0)]),
        ...stated.map(({ source, data, version }, i) => ({
          source,
          // Rules of all levels are combined; for anything else the most specific level is in force.
          wins: !overridden && (key === 'requires_approval_from' || i === stated.length - 1),
          ...layerStatementOf(actor, 'settings', version!, valueIn(data)),
        })),
        ...(overridden ? [unversioned(overrideSource, reader.overrides, true)] : []),
      ]
      const value = valueIn(convergeSettings(levels, reader.overrides).data)
      return { body: explanation(node, 'settings', { pointer: String(query['pointer']), value, layers }) }
    },
  })

/** @throws Failure for an unknown setting */
function settingAt(pointer: unknown): readonly [string, ...string[]] {
  const [key = '', ...below] = tokensOfParameter(pointer)
  if (Object.hasOwn(catalogue, key)) return [key, ...below]
  const like = nearestTo(key, Object.keys(catalogue))
  const detail = `There is no setting "${key.slice(0, 100)}"${like ? `; did you mean "/${like}"` : ': a pointer to one is /repo_folder, for example'}.`
  throw failure('invalid', detail, { source: { parameter: 'pointer' } })
}
