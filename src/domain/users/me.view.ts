import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { authorisationsOn, fixedPaths, rightsSomewhere } from './fixed-paths.ts'
import { pathOfUser } from './user.ts'

interface Me {
  session_expires_at: string | null
  id: string
  username: string
  display_name: string | null
  email_address: string | null
  auth_provider: string
  groupnames: string[]
  disabled: boolean
  created_at: string
  updated_at: string
}

const nullableText = Type.Union([Type.String(), Type.Null()])
const attributes = Type.Object({
  username: Type.String(),
  display_name: nullableText,
  email_address: nullableText,
  auth_provider: Type.String(),
  groupnames: Type.Array(Type.String()),
  disabled: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

const flags = Type.Object({
  read: Type.Boolean(),
  update: Type.Boolean(),
  execute: Type.Boolean(),
  delete: Type.Boolean(),
})

/** View of the caller: the same document as the user's own, and the kind of credentials. */
export const me: AnyView = view<Target & { user: Me }>({
  name: 'users.me',
  summary: 'The current user.',
  method: 'GET',
  paths: ['/api/me'],
  // The CSRF token.
  uncompressed: true,
  answer: Type.Object({
    data: Type.Object({
      id: Type.String(),
      type: Type.Literal('user'),
      attributes,
      links: Type.Object({ self: Type.String() }),
      meta: Type.Object({
        superuser: Type.Boolean(),
        via: Type.String(),
        csrf_token: Type.Optional(Type.String()),
        session_expires_at: Type.Optional(
          Type.String({ description: 'When the session of this request ends; absent with other credentials.' }),
        ),
        authorisations: Type.Object(Object.fromEntries(fixedPaths.map(path => [path, flags])), {
          description: 'Rights of the caller on the fixed paths.',
        }),
        somewhere: Type.Object(flags.properties, { description: 'Rights that the caller has on at least one path.' }),
      }),
    }),
  }),
  find: async ({ database, actor }) => {
    const user = await database.one(sql<Me>`
      select u.id, u.username, u.display_name, u.email_address, u.auth_provider, u.groupnames, u.disabled, u.created_at,
             u.updated_at, t.expires_at as session_expires_at
        from users u
        left join tokens t on t.id = ${actor.session?.id ?? null}::uuid
       where u.id = ${actor.userId}::uuid`)
    return user && { user }
  },
  needs: () => [],
  run: async ({ user }, { actor }) => {
    const { id, session_expires_at, ...attributes } = user
    const links = { self: pathOfUser(user.username) }
    // Another site cannot read this response; our own page reads the token again when it is reloaded.
    const { session } = actor
    const meta = {
      superuser: actor.rights.superuser,
      via: actor.via,
      ...(session && { csrf_token: session.csrfToken, session_expires_at }),
      authorisations: authorisationsOn(actor.rights),
      somewhere: rightsSomewhere(actor.rights),
    }
    return { body: { data: { id, type: 'user', attributes, links, meta } } }
  },
})
