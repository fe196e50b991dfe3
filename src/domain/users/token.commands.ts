import Type from 'typebox'
import { type AnyCommand, command, done, type Target } from '#platform/commands/command.ts'
import { shownNameForm, shownNamePattern } from '#platform/display-name.ts'
import { failure } from '#platform/failure.ts'
import { kinds } from '#platform/jsonapi/kinds.ts'
import { insertPersonalToken, isAhead, lockPersonalToken, revokeToken } from './token.store.ts'
import { onlyPeople } from './user.ts'

interface Attributes {
  description: string
  expires_at: string
}

const create = command<Attributes>({
  name: 'tokens.create',
  summary: 'Creates a bearer token with the caller’s rights. The secret is in meta.token of this response only.',
  method: 'POST',
  paths: ['/api/tokens'],
  status: 201,
  event: 'api:tokens:create',
  eventBody: ['description', 'expires_at'],
  secret: true,
  attributes: Type.Object(
    {
      description: Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: shownNamePattern,
        shouldBe: shownNameForm,
        description: 'Description.',
      }),
      expires_at: Type.String({ maxLength: 40, description: 'Expiry time (ISO 8601).' }),
    },
    { additionalProperties: false },
  ),
  answers: 'token',
  find: async () => ({}),
  needs: (_found, _request, actor) => onlyPeople(actor),
  run: async ({ tx, actor }, _found, { attributes }) => {
    const source = { pointer: '/data/attributes/expires_at' }
    const expiresAt = kinds.time.read(attributes.expires_at)
    if (!expiresAt) throw failure('invalid', `expires_at should be ${kinds.time.means}.`, { source })
    if (!(await isAhead(tx, expiresAt))) throw failure('invalid', 'expires_at should be in the future.', { source })
    const { id, token } = await insertPersonalToken(tx, {
      userId: actor.userId!,
      username: actor.username,
      description: attributes.description,
      expiresAt,
    })
    return done({ id, event: { source: { type: 'token', id } }, meta: { token } })
  },
})

interface Found extends Target {
  id: string
  description: string
  created_by: string
}

const remove = command<never, Found>({
  name: 'tokens.delete',
  summary: 'Revokes a token; superusers can revoke any token. It stops working with the next request.',
  method: 'DELETE',
  paths: ['/api/tokens/:id'],
  status: 204,
  event: 'api:tokens:destroy',
  eventBody: [],
  find: async ({ tx, actor }, { params }) => {
    const token = await lockPersonalToken(tx, params['id'], actor)
    return token && { ...token, rowVersion: token.row_version }
  },
  needs: (_found, _request, actor) => onlyPeople(actor),
  run: async ({ tx }, { id, description, created_by }) => {
    await revokeToken(tx, id)
    // It may belong to another user, whose token must not be described.
    return done({ event: { source: { type: 'token', id }, attributes: { description, created_by } } })
  },
})

export const tokenCommands: AnyCommand[] = [create, remove]
