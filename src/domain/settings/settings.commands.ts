import Type from 'typebox'
import type { Need } from '#platform/actor.ts'
import { type AnyCommand, type Context, command, done, type Outcome, unchanged } from '#platform/commands/command.ts'
import type { Queries } from '#platform/db/database.ts'
import {
  authorOf,
  documentLimit,
  expectedVersion,
  type FoundDocument,
  findDocument,
  lockExpected,
  versionAttributes,
  versionCollides,
} from '#platform/documents/document.commands.ts'
import { versionNumber } from '#platform/documents/document.resource.ts'
import { hasKey, type Json, type JsonObject, objectOf, textOf } from '#platform/documents/document.ts'
import type { DocumentStore, Locked, Stored } from '#platform/documents/document-store.ts'
import { Failure } from '#platform/failure.ts'
import { eventNode, holderOf, lockUnarchived, type Node, refuseArchived } from '../nodes/index.ts'
import { type AskApprovers, checkApprovers } from './approver-rules.tx.ts'
import { catalogue, type Level } from './catalogue.ts'
import { settingsFaults } from './check.ts'
import type { SettingsReader } from './converged.store.ts'
import { afterGlobalWrite } from './effects.tx.ts'
import { movedSecrets, restoreHidden, withListedSecrets } from './hidden.ts'

interface Write {
  readonly data: JsonObject
  readonly version?: number
}

const attributes = Type.Object(
  {
    data: Type.Object({}, { additionalProperties: true, description: 'Names of settings (with dots) as keys.' }),
    version: expectedVersion,
  },
  { additionalProperties: false },
)

export interface SettingsWork {
  readonly store: DocumentStore
  readonly reader: SettingsReader
  /** Lookup of named approvers; absent where no lookup is possible. */
  readonly approvers?: AskApprovers | undefined
}

/** Commands on settings: PATCH merges key by key, PUT replaces, an old version can be restored. */
export const settingsCommands = (work: SettingsWork): AnyCommand[] => [
  command<Write, Found>({
    ...aboutSettings,
    name: 'settings.update',
    summary: 'Sets keys; null removes a key, so that its value is inherited.',
    method: 'PATCH',
    paths: ['/api/settings/:id'],
    attributes,
    collides: ({ tx }, { id }, { attributes }) => versionCollides(tx, work.store, id, attributes.version),
    run: async (context, found, { attributes: { data, version } }) => {
      const { locked, node } = await lockWritable(context, work, found, version)
      const kept = restoreHidden(withoutTaken(data, locked.data), locked.data)
      const given = await checkSettings(context.tx, work.reader, found, kept)
      await checkApprovers(context, work.approvers, given, found.id)
      const merged = objectOf([
        ...Object.entries(locked.data).filter(([key]) => data[key] !== null),
        ...Object.entries(given),
      ])
      refuseMoved(data, locked, merged)
      return write(context, work, { locked, node }, merged, Object.keys(data))
    },
  }),
  command<Write, Found>({
    ...aboutSettings,
    name: 'settings.replace',
    summary: 'Replaces all settings of the record.',
    method: 'PUT',
    paths: ['/api/settings/:id'],
    attributes,
    collides: ({ tx }, { id }, { attributes }) => versionCollides(tx, work.store, id, attributes.version),
    run: async (context, found, { attributes: { data, version } }) => {
      const { locked, node } = await lockWritable(context, work, found, version)
      const given = await checkSettings(context.tx, work.reader, found, restoreHidden(data, locked.data))
      await checkApprovers(context, work.approvers, given, found.id)
      refuseMoved(data, locked, given)
      return write(context, work, { locked, node }, given, Object.keys(data))
    },
  }),
  command<never, Found & { readonly data: JsonObject }>({
    ...aboutSettings,
    name: 'settings.restore',
    summary: 'Restores a version as the newest, including its secrets.',
    method: 'POST',
    paths: ['/api/settings/:id/versions/:version/restore'],
    find: async (context, request) => {
      const found = await findSettings(context, request)
      const data = found && (await work.store.version(context.tx, found.id, versionNumber(request.params['version'])))
      return data && { ...found, data }
    },
    run: async (context, { data, ...found }) => {
      const { locked, node } = await lockWritable(context, work, found, undefined)
      await checkSettings(context.tx, work.reader, found, data)
      await checkApprovers(context, work.approvers, data, found.id)
      return write(context, work, { locked, node }, data, Object.keys(data))
    },
  }),
]

const aboutSettings = {
  status: 200,
  event: 'api:settings:update',
  eventBody: [],
  answers: 'settings',
  bodyLimit: documentLimit,
  find: findSettings,
  needs: ({ path }: FoundDocument): readonly Need[] => [{ right: 'update', path }],
  refuse: refuseArchived,
} as const

/** Settings, and the node that holds them; those of the installation have none. */
interface Found extends FoundDocument {
  readonly node: Node | undefined
}

async function findSettings({ tx }: Context, request: Parameters<typeof findDocument>[2]): Promise<Found | undefined> {
  const found = await findDocument(tx, 'settings', request)
  return found && { ...found, node: await holderOf(tx, found) }
}

type Writable = { locked: Locked; node: Node | undefined }

/** The record, its version checked, and the node that it belongs to, locked against archiving. */
async function lockWritable(
  context: Context,
  { store }: SettingsWork,
  found: Found,
  version: number | undefined,
): Promise<Writable> {
  const { node } = found
  if (node) await lockUnarchived(context.tx, node)
  return { locked: await lockExpected(context, store, found.id, version), node }
}

/**
 * Settings to store for this owner: a value chosen from the installation's list with `{{hidden}}` for its secrets gets
 * the listed secrets.
 *
 * @throws Failure with all faults
 */
export async function checkSettings(
  queries: Queries,
  reader: SettingsReader,
  found: FoundDocument,
  given: JsonObject,
): Promise<JsonObject> {
  const global = await reader.global(queries)
  const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
  const level = found.owner_type.toLowerCase().replaceAll(' ', '_') as Level
  const data = level === 'global' ? given : withListedSecrets(given, listed)
  const [first, ...others] = settingsFaults(data, level, listed)
  if (first) throw new Failure([first, ...others])
  return data
}

function refuseMoved(written: JsonObject, before: Stored, after: JsonObject): void {
  const [first, ...others] = movedSecrets(written, before.data, after)
  if (first) throw new Failure([first, ...others])
}

async function write(
  context: Context,
  { store, reader }: SettingsWork,
  { locked, node }: Writable,
  data: JsonObject,
  asked: readonly string[],
): Promise<Outcome> {
  const meta = warningsFor(asked, data, reader)
  const version = await store.write(context.tx, locked, textOf(data), authorOf(context))
  if (version === undefined) return { ...unchanged(locked.id), ...(meta && { meta }) }
  if (locked.owner_type === 'Global') await afterGlobalWrite(context, reader)
  return done({
    id: locked.id,
    event: {
      source: { type: 'settings', id: locked.id },
      ...(node && { node: eventNode(node) }),
      attributes: {
        ...versionAttributes(version, locked.data, data),
        owner_type: locked.owner_type,
        owner_id: locked.owner_id,
      },
    },
    ...(meta && { meta }),
  })
}

/** Warnings for stored values without effect while the environment sets another value or nothing uses them. */
function warningsFor(
  asked: readonly string[],
  data: JsonObject,
  { overrides }: SettingsReader,
): { warnings: object[] } | undefined {
  const warnings = asked.flatMap(key => {
    const unheeded = Object.hasOwn(data, key) ? catalogue[key]?.unheeded : undefined
    return [
      ...(Object.hasOwn(overrides, key)
        ? [`${key} is stored, and the environment of the service states another value, which holds meanwhile.`]
        : []),
      ...(unheeded === undefined ? [] : [`${key} is stored, and has no effect so far. ${unheeded}`]),
    ].map(detail => ({ setting: key, detail }))
  })
  return warnings.length === 0 ? undefined : { warnings }
}

/** Data to store, without the removed keys. An unknown key remains, and is refused. */
const withoutTaken = (data: JsonObject, stored: JsonObject): JsonObject =>
  objectOf(
    Object.entries(data).filter(
      ([key, each]) => each !== null || !(Object.hasOwn(catalogue, key) || hasKey(stored, key)),
    ),
  )
