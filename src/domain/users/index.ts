import type { Tx } from '#platform/db/database.ts'
import type { Domain, Job } from '#platform/domain.ts'
import { me } from './me.view.ts'
import { preferencesCommands } from './preferences.commands.ts'
import { preferencesResource } from './preferences.resource.ts'
import { savedViewCommands } from './saved-view.commands.ts'
import { savedViewResource } from './saved-view.resource.ts'
import { type Sessions, sessionCommands } from './session.commands.ts'
import { sessionResource } from './session.resource.ts'
import { deleteOldFailures } from './sign-in-failures.store.ts'
import { tokenCommands } from './token.commands.ts'
import { tokenResource } from './token.resource.ts'
import { deleteOldSessions, endOtherSessions } from './token.store.ts'
import { type UserCommands, userCommands } from './user.commands.ts'
import { userResource } from './user.resource.ts'

export { rightsInScope } from './attempt-rights.sql.ts'
export { attemptToken } from './attempt-token.ts'
export { authenticator } from './authenticate.tx.ts'
export type { DirectorySource } from './directory-source.ts'
export { type Passwords, passwords } from './passwords.adapter.ts'
export type { RightsSource } from './rights-source.port.ts'
export { folded, foldedNames, indexedNames, isCalled, isSameName } from './same-name.sql.ts'
export { areThereUsers, groupsOfUser, insertUser, lockUser, setPassword } from './user.store.ts'
export { isUsername, notOfSteps, onlyPeople, onlySuperusers, usersPath } from './user.ts'

/** Ends every session of a user; tokens remain. */
export const endSessionsOf = (tx: Tx, userId: string): Promise<number> => endOtherSessions(tx, userId, undefined)

const cleanup: readonly Job[] = [
  {
    name: 'users.forget_failed_sign_ins',
    cron: '*/10 * * * *',
    run: async (_: never, { database }) => void (await deleteOldFailures(database)),
  },
  {
    name: 'users.forget_sessions',
    cron: '17 * * * *',
    run: async (_: never, { database }) => void (await deleteOldSessions(database)),
  },
]

/** Users: local users, their passwords and tokens, and authentication. */
export const usersDomain = (options: UserCommands & Sessions): Domain => ({
  name: 'users',
  resources: [userResource, tokenResource, sessionResource, preferencesResource, savedViewResource],
  commands: [
    ...userCommands(options),
    ...sessionCommands(options),
    ...tokenCommands,
    ...preferencesCommands,
    ...savedViewCommands,
  ],
  views: [me],
  jobs: cleanup,
})
