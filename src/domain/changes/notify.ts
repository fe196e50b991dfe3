import Type from 'typebox'
import type { JsonObject } from '#platform/documents/document.ts'

const names = (describe: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 1_000, description: describe }))

/** Recipients of notifications about a change or a run. */
export const notifySchema = Type.Object(
  {
    events: names('Types of events, as they are recorded of it.'),
    user_names: names('Users.'),
    ldap_groups: names('Groups of the directory.'),
    email_addresses: names('Addresses of people who are not users.'),
  },
  { additionalProperties: false, description: 'Notifications about its progress.' },
)

export type Notify = JsonObject
