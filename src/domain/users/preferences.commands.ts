import Type from 'typebox'
import { type AnyCommand, command, done, type Target, unchanged } from '#platform/commands/command.ts'
import { checkDocument, equal, isObject, type JsonObject } from '#platform/documents/document.ts'
import { mergePatch } from '#platform/documents/json-patch.ts'
import { failure } from '#platform/failure.ts'
import { lockPreferences, versionOfPreferences, writePreferences } from './preferences.store.ts'
import { onlyPeople } from './user.ts'

interface Attributes {
  readonly data: JsonObject
}

/** Maximum size of all preferences of a user, as JSON in bytes. */
const largest = 65_536
const pointer = '/data/attributes/data'

/**
 * PATCH /api/me/preferences. It records no event: clients write here whenever a user opens a page, and nothing that the
 * service does depends on it.
 */
const update = command<Attributes, Target>({
  name: 'preferences.update',
  summary: 'Merges members into the preferences of the caller (RFC 7396): null removes a member.',
  method: 'PATCH',
  paths: ['/api/me/preferences'],
  status: 200,
  event: null,
  eventBody: [],
  attributes: Type.Object(
    {
      data: Type.Object(
        {},
        {
          additionalProperties: true,
          description: `Merge patch; the preferences have at most ${largest} bytes of JSON.`,
        },
      ),
    },
    { additionalProperties: false },
  ),
  answers: 'preferences',
  find: async ({ tx, actor }) => ({ rowVersion: await versionOfPreferences(tx, actor.userId) }),
  needs: (_found, _request, actor) => onlyPeople(actor),
  run: async ({ tx, actor, requireMatch }, _found, { attributes }) => {
    const userId = actor.userId!
    const { data: before, rowVersion } = await lockPreferences(tx, userId)
    requireMatch(rowVersion)
    const data = mergePatch(before, attributes.data)
    if (!isObject(data)) throw failure('invalid', 'Preferences are an object.', { source: { pointer } })
    checkDocument(data, pointer)
    const size = Buffer.byteLength(JSON.stringify(data))
    if (size > largest)
      throw failure('invalid', `The preferences would have ${size} bytes of JSON; at most ${largest} are stored.`, {
        source: { pointer },
      })
    if (equal(before, data)) return unchanged(userId)
    await writePreferences(tx, userId, data)
    return done({ id: userId, event: {} })
  },
})

export const preferencesCommands: readonly AnyCommand[] = [update]
