import Type from 'typebox'
import type { Need } from '#platform/actor.ts'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Outcome,
  type Request,
  unchanged,
} from '#platform/commands/command.ts'
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
import { isObject, type Json, type JsonObject } from '#platform/documents/document.ts'
import type { DocumentStore, Stored } from '#platform/documents/document-store.ts'
import { applyOperations, mergePatch, PatchConflict } from '#platform/documents/json-patch.ts'
import { readOperations } from '#platform/documents/operations.ts'
import { Failure, failure, missing } from '#platform/failure.ts'
import { eventNode, holderOf, lockUnarchived, type Node, refuseArchived } from '../nodes/index.ts'
import { checkProperties, ownerPath } from './check.ts'

interface Replace {
  readonly data?: JsonObject
  readonly version?: number
}

const about = {
  status: 200,
  event: 'api:properties:update',
  eventBody: [],
  answers: 'properties',
  bodyLimit: documentLimit,
  find: findProperties,
  needs: ({ path }: FoundDocument): readonly Need[] => [{ right: 'update', path }],
  refuse: refuseArchived,
} as const

/** A document, and the node that holds it: its owner, or for templates and their versions the project. */
interface Found extends FoundDocument {
  readonly node: Node | undefined
}

async function findProperties({ tx }: Context, request: Request<unknown>): Promise<Found | undefined> {
  const found = await findDocument(tx, 'properties', request)
  return found && { ...found, node: await holderOf(tx, found) }
}

/** Commands on properties: PATCH replaces or patches the document, and an old version can be restored. */
export const propertiesCommands = (store: DocumentStore): AnyCommand[] => [
  command<Replace, Found>({
    ...about,
    name: 'properties.update',
    summary: 'Replaces the document, or updates it with a merge patch or a JSON Patch.',
    method: 'PATCH',
    paths: ['/api/properties/:id'],
    patches: true,
    attributes: Type.Object(
      {
        data: Type.Object({}, { additionalProperties: true, description: 'The whole document.' }),
        version: expectedVersion,
      },
      { additionalProperties: false },
    ),
    collides: ({ tx }, { id }, { attributes }) => versionCollides(tx, store, id, attributes.version),
    run: (context, found, request) =>
      write(context, store, found, request.attributes.version, ({ data }) => patched(data, request)),
  }),
  command<never, Found & { readonly data: JsonObject }>({
    ...about,
    name: 'properties.restore',
    summary: 'Restores a version as the newest.',
    method: 'POST',
    paths: ['/api/properties/:id/versions/:version/restore'],
    find: async (context, request) => {
      const found = await findProperties(context, request)
      const data = found && (await store.version(context.tx, found.id, versionNumber(request.params['version'])))
      return data && { ...found, data }
    },
    run: (context, found) => write(context, store, found, undefined, () => found.data),
  }),
]

/** The next document according to the request. */
function patched(current: JsonObject, { attributes, patch }: Request<Replace>): JsonObject {
  if (!patch) return attributes.data!
  const next = patch.kind === 'merge' ? mergePatch(current, patch.value as Json) : jsonPatched(current, patch.value)
  if (!isObject(next)) throw failure('invalid', 'Properties are an object; the patch would make them something else.')
  return next
}

function jsonPatched(current: JsonObject, value: unknown): Json {
  const { operations, faults } = readOperations(value)
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
  try {
    return applyOperations(current, operations)
  } catch (error) {
    if (!(error instanceof PatchConflict)) throw error
    throw failure('wrong-state', `The patch does not apply: ${error.message}.`, {
      source: { pointer: `/${error.index}` },
    })
  }
}

async function write(
  context: Context,
  store: DocumentStore,
  found: Found,
  version: number | undefined,
  next: (locked: Stored) => JsonObject,
): Promise<Outcome> {
  const { tx } = context
  const { node } = found
  if (!node) throw missing()
  await lockUnarchived(tx, node)
  const locked = await lockExpected(context, store, found.id, version)
  const data = next(locked)
  const text = checkProperties(data, ownerPath(locked))
  const made = await store.write(tx, locked, text, authorOf(context))
  if (made === undefined) return unchanged(found.id)
  return done({
    id: found.id,
    event: {
      source: { type: 'properties', id: found.id },
      node: eventNode(node),
      attributes: {
        ...versionAttributes(made, locked.data, data),
        owner_type: found.owner_type,
        owner_id: found.owner_id,
      },
    },
  })
}
