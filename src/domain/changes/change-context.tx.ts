import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { unpacked } from '#platform/crypto/packed.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { NewEvent } from '#platform/events.ts'
import { catalogueEntries } from '../action-catalogue/index.ts'
import type { Node } from '../nodes/index.ts'
import type { ChangeLayers, ConvergedProperties } from '../properties/index.ts'
import { readSecrets, referencesIn, type Vaults, withSecrets } from '../secrets/index.ts'
import { type ConvergedSettings, defaultSource } from '../settings/index.ts'
import { overridesOf, type StoredChange } from './change.store.ts'
import { documentAad } from './change.ts'
import type { ChangeParts } from './parts.port.ts'

/** Data given to all steps of a change, read once for all steps that are claimed together. */
export interface ChangeContext {
  /** Folder of the repository in which bodies run: the template's, or '' for the root. */
  readonly folder: string
  /** `context` of step_context.json, without the fields of the single step. */
  readonly context: JsonObject
  /** Converged properties with their secrets resolved. */
  readonly converged: JsonObject
  /** `properties` (the document of each owner) and `converged` of step_context.json, as JSON text. */
  readonly documents: string
  readonly secrets: readonly string[]
  /** Setting step_timeout_seconds: for actions without a timeout of their own. */
  readonly timeoutSeconds: number | undefined
}

/** The properties that a change's steps see now: its node's, at the change's own commit, under its overrides. */
export function convergedOfChange(
  parts: Pick<ChangeParts, 'keyring' | 'converge'>,
  queries: Queries,
  change: StoredChange,
  node: Node,
): Promise<ConvergedProperties> {
  return parts.converge(queries, node, { change: layersOfChange(parts.keyring, change) })
}

/**
 * Layers in which a change differs from its node. Earlier states of its overrides are not stored: they are always the
 * current ones.
 */
export const layersOfChange = (keyring: Keyring, change: StoredChange): ChangeLayers => ({
  overrides: overridesOf(keyring, change),
  repoFolder: String(resolvedSettings(keyring, change)['repo_folder']),
  ...(change.commit_sha && { commit: { gitRemoteId: change.git_remote_id, commitSha: change.commit_sha } }),
  ...(change.template_version_id && { templateVersionId: change.template_version_id }),
})

/** The settings as resolved when the change was created. */
export const resolvedSettings = (keyring: Keyring, change: StoredChange): JsonObject =>
  fromJson(keyring.openText(change.resolved_settings, documentAad(change.id, 'resolved_settings')))

/** Settings of a change, with the level that each value is from. */
export function settingsOfChange(keyring: Keyring, change: StoredChange): ConvergedSettings {
  const data = resolvedSettings(keyring, change)
  const { setting_sources: stated } = change
  const sourceOf = (key: string) => (stated ? (stated[key] ?? defaultSource) : unknownSource)
  return { data, sources: Object.fromEntries(Object.keys(data).map(key => [key, sourceOf(key)])) }
}

/** Level of a setting in changes that were created before levels were stored. */
const unknownSource = 'Unknown'

/** Settings given for the change alone. */
export const settingsOverridesOf = (keyring: Keyring, change: StoredChange): JsonObject =>
  fromJson(keyring.openText(change.settings_overrides, documentAad(change.id, 'settings_overrides')))

/** Change with the documents that it refers to, all of it as it is now. */
export interface ChangeNow {
  readonly change: StoredChange
  readonly settings: JsonObject
  readonly converged: ConvergedProperties
  /** Content of the asset's model, if it is valid for the change's commit; else null. */
  readonly model: JsonObject | null
  /**
   * Actions of the model for a program that derives its own from them while it is loaded: those of the last model of
   * the change's commit, valid or not. A step that changes a property must not remove the action that the next one
   * runs.
   */
  readonly modelActions: ActionCatalogue | undefined
}

interface ContextParts extends Pick<ChangeParts, 'record' | 'apiUrl'> {
  readonly vaults: Pick<Vaults, 'read'>
}

/** Data that steps of a change were given, reused while its documents are unchanged. */
interface CachedData {
  readonly references: readonly string[]
  readonly secrets: ReadonlyMap<string, string>
  readonly context: ChangeContext
}

/**
 * Builds the data that every step of a change gets. The documents are walked and serialized once for as long as they
 * are unchanged; they may be megabytes in forty steps. Secrets that they refer to are read for each step: the version
 * of a document does not change with its secrets.
 */
export function changeContexts({ vaults, record, apiUrl }: ContextParts): ChangeContexts {
  const given = new WeakMap<ChangeNow, CachedData>()
  const read = async (tx: Tx, now: ChangeNow) => {
    const { change, converged, model } = now
    const before = given.get(now)
    const texts = before?.references ?? referencesIn([converged.data, model])
    if (texts.length === 0 && before) return before.context
    const { values, references } = await readSecrets(tx, vaults, texts, change.path)
    if (references.length > 0) await record(tx, resolvedEvent(change, references))
    if (before && isSame(before.secrets, values)) return before.context
    const context = contextOf(apiUrl(), now, values)
    given.set(now, { references: texts, secrets: values, context })
    return context
  }
  const ifNoSecrets = (now: ChangeNow) => {
    const known = given.get(now)
    return known?.references.length === 0 ? known.context : undefined
  }
  return { read, ifNoSecrets }
}

export interface ChangeContexts {
  read(tx: Tx, now: ChangeNow): Promise<ChangeContext>
  /** The cached context of a change that refers to no secret: nothing is read again. */
  ifNoSecrets(now: ChangeNow): ChangeContext | undefined
}

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([text, value]) => other.get(text) === value)

function contextOf(
  apiUrl: string,
  { change, settings, converged, model, modelActions }: ChangeNow,
  values: ReadonlyMap<string, string>,
): ChangeContext {
  const document = withSecrets(converged.data, values)
  const timeout = settings['step_timeout_seconds']
  const given = modelActions && `,"model_actions":${JSON.stringify(catalogueEntries(modelActions))}`
  return {
    folder: change.template_code ?? '',
    converged: document,
    documents: `"properties":${propertiesByOwner(converged)},"converged":${JSON.stringify(document)}${given ?? ''}`,
    secrets: [...new Set(values.values())],
    timeoutSeconds: typeof timeout === 'number' ? timeout : undefined,
    context: {
      change: {
        id: change.id,
        action: change.action,
        path: change.path,
        metadata: change.metadata as JsonObject,
        created_at: change.created_at,
      },
      user: { name: change.created_by },
      template: change.template_code === null ? null : { code: change.template_code },
      template_version:
        change.template_version === null ? null : { version: change.template_version, commit_sha: change.commit_sha },
      model: model && withSecrets(model, values),
      git_remotes: [{ name: change.git_remote_name, revision: change.git_rev, commit_sha: change.commit_sha }],
      api_url: apiUrl,
    },
  }
}

const resolvedEvent = (change: StoredChange, references: readonly string[]): NewEvent => ({
  type: 'api:secrets:resolve',
  actor: { userId: change.user_id, username: change.created_by },
  source: { type: 'change', id: change.id },
  node: { id: change.node_id, path: change.path, projectId: change.project_id },
  activityId: change.id,
  attributes: { references },
})

/**
 * JSON object of the layers that owners state themselves, each under its owner's name as patches use it; references
 * stay references. Layers are copied as stored texts, which equals serializing their values again.
 */
function propertiesByOwner({ layers }: ConvergedProperties): string {
  const members = layers.flatMap(({ from, text }) => {
    if (from !== 'change' && !('owner_type' in from)) return []
    const name = from === 'change' ? from : from.owner_type.toLowerCase().replaceAll(' ', '_')
    return [`${JSON.stringify(name)}:${unpacked(text).toString()}`]
  })
  return `{${members.join(',')}}`
}
