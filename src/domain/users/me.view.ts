import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { authorisationsOn, fixedPaths } from './fixed-paths.ts'
import { pathOfUser } from './user.ts'

interface Me {
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
        authorisations: Type.Object(Object.fromEntries(fixedPaths.map(path => [path, flags])), {
          description: 'Rights of the caller on the fixed paths.',
        }),
      }),
    }),
  }),
  find: async ({ database, actor }) => {
    const user = await database.one(sql<Me>`
      select id, username, display_name, email_address, auth_provider, groupnames, disabled, created_at, updated_at
        from users
       where id = ${actor.userId}::uuid`)
    return user && { user }
  },
  needs: () => [],
  run: async ({ user }, { actor }) => {
    const { id, ...attributes } = user
    const links = { self: pathOfUser(user.username) }
    // Another site cannot read this response; our own page reads the token again when it is reloaded.
    const { session } = actor
    const meta = {
      superuser: actor.rights.superuser,
      via: actor.via,
      ...(session && { csrf_token: session.csrfToken }),
      authorisations: authorisationsOn(actor.rights),
    }
    return { body: { data: { id, type: 'user', attributes, links, meta } } }
  },
})
