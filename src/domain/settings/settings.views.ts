import { hash } from 'node:crypto'
import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { findNode, lineOf, type Node, nodePaths } from '../nodes/index.ts'
import { settingsSchema } from './check.ts'
import type { ConvergedSettings } from './converge.ts'
import { convergeDateParameter, instantOf } from './converge-date.tx.ts'
import type { SettingsReader } from './converged.store.ts'
import { explainSettings } from './explain.view.ts'
import { hideSecrets, restoreHidden, settingsDifferences } from './hidden.ts'
import { impactView, nodesBelow } from './impact.views.ts'
import { checkSettings } from './settings.commands.ts'

const document = Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true })
const anything = Type.Object({}, { additionalProperties: true })

export const settingsViews = (reader: SettingsReader): AnyView[] => [
  convergedSettings(reader),
  explainSettings(reader),
  impactView({
    name: 'settings',
    bearsOn: nodesBelow,
    proposed: async ({ database }, found, given) => {
      const data = restoreHidden(given, (await reader.ownOf(database, found.owner_id)) ?? {})
      return checkSettings(database, reader, found, data)
    },
    changes: async (database, nodes, instead) => {
      const settingsOf = await reader.ofNodes(database, nodes)
      return new Map(
        nodes.map(node => [node.id, settingsDifferences(settingsOf(node).data, settingsOf(node, { instead }).data)]),
      )
    },
  }),
  view({
    name: 'settings.schema',
    summary: 'The catalogue of settings as JSON Schema.',
    method: 'GET',
    paths: ['/api/settings_schema'],
    answer: anything,
    mediaType: 'application/schema+json',
    find: async () => ({}),
    needs: () => [],
    run: async () => ({ body: settingsSchema() }),
  }),
  view<Target & { id: string; created_at: string; settings_id: string }>({
    name: 'system_configuration.show',
    summary: 'The installation’s configuration, with its settings as a relationship.',
    method: 'GET',
    paths: ['/api/system_configuration'],
    answer: document,
    find: ({ database }) =>
      database.one(sql`
        select i.id, i.created_at, s.id as settings_id from installation i join settings s on s.owner_id = i.id`),
    // A fixed endpoint: a caller without the right gets 403.
    needs: () => [{ right: 'read', path: '/system_configuration' }],
    run: async ({ id, created_at, settings_id }) => ({
      body: {
        data: {
          id,
          type: 'system_configuration',
          attributes: { created_at },
          relationships: {
            settings: {
              data: { id: settings_id, type: 'settings' },
              links: { related: `/api/settings/${settings_id}` },
            },
          },
          links: { self: '/api/system_configuration' },
        },
      },
    }),
  }),
]

type FoundNode = Node & { readonly readPath: string }

const convergedSettings = (reader: SettingsReader): AnyView =>
  view<FoundNode>({
    name: 'converged_settings.show',
    summary: 'Settings in force on a node, each with the level that it comes from.',
    method: 'GET',
    paths: nodePaths.map(path => `/api${path}/converged_settings`),
    parameters: convergeDateParameter,
    answer: document,
    find: async ({ database, params }: ViewContext) => {
      const node = await findNode(database, params)
      return node && { ...node, readPath: node.path }
    },
    needs: node => [{ right: 'read', path: `${node.path}/settings` }],
    run: async (node, { database, query }) => {
      const at = await instantOf(database, query['converge_date'], node)
      return {
        headers: { etag: await etagOf(database, reader, node, at) },
        body: async () => {
          const { data, sources } = await reader.ofNode(database, node, at === undefined ? {} : { at })
          return convergedSettingsDocument({
            id: node.code,
            self: `/api${node.path}/converged_settings`,
            data,
            sources,
          })
        },
      }
    },
  })

/** The document of converged settings, its secrets hidden. */
export const convergedSettingsDocument = ({
  id,
  self,
  data,
  sources,
}: ConvergedSettings & { readonly id: string; readonly self: string }): object => ({
  data: {
    id,
    type: 'converged_settings',
    attributes: { data: hideSecrets(data) },
    links: { self },
    meta: { setting_sources: { by_setting: sources } },
  },
})

/**
 * ETag made of the identities of the inputs; nothing is decrypted for a caller who has it. Another release may have
 * other defaults. It reveals no more than the response about secrets in the environment, which might be guessed.
 */
async function etagOf(queries: Queries, reader: SettingsReader, node: Node, at: string | undefined): Promise<string> {
  const line = await lineOf(queries, node)
  const ids = line.map(({ id }) => id)
  const { versions } = (await queries.one(
    sql<{ versions: string }>`select ${reader.versions(sql`${ids}::uuid[]`, at)} as versions`,
  ))!
  const names = line.map(({ code, name }) => [code, name])
  const basis = JSON.stringify([names, versions, hideSecrets(reader.overrides), catalogueHash])
  return `"${hash('sha256', basis, 'base64url').slice(0, 27)}"`
}

const catalogueHash = hash('sha256', JSON.stringify(settingsSchema()))
