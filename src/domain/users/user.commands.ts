import Type from 'typebox'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Outcome,
  type Request,
  refused,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { shownNameForm, shownNamePattern } from '#platform/display-name.ts'
import { type Failure, failure } from '#platform/failure.ts'
import { type Passwords, passwordLength, tooManyRequests } from './passwords.adapter.ts'
import { deletePersonalData } from './saved-view.store.ts'
import { countAttempt, forgiveAttempt } from './sign-in-failures.store.ts'
import { endOtherSessions, revokeTokensOfUser } from './token.store.ts'
import { deleteUser, insertUser, isNameTaken, lockUser, type User, updateUser } from './user.store.ts'
import { isReserved, onlyPeople, onlySuperusers, usernameForm, usernamePattern, usersPath } from './user.ts'

export interface UserCommands {
  passwords: Passwords
  keyring: Pick<Keyring, 'mac'>
  /**
   * Refuses a change that would remove the last superuser; the folder `access`, to the right of this one, knows the
   * superusers.
   */
  keepLastSuperuser: (tx: Tx) => Promise<void>
}

export const userCommands = (options: UserCommands): AnyCommand[] => [create(options), update(options), remove(options)]

interface Attributes {
  username: string
  password: string
  display_name?: string | null
  email_address?: string | null
  disabled?: boolean
}

const nullableText = (describe: string, more: object = {}) =>
  Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 255, ...more }), Type.Null()], { description: describe }),
  )
const password = Type.String({
  minLength: passwordLength.least,
  maxLength: passwordLength.most,
  description: `Of at least ${passwordLength.least} characters. Never answered.`,
})
const changeable = {
  display_name: nullableText('Display name.', { pattern: shownNamePattern, shouldBe: shownNameForm }),
  email_address: nullableText('Email address.', {
    pattern: '^[^\\s@]+@[^\\s@]+$',
    shouldBe: 'an e-mail address such as ann@bank.example',
  }),
  disabled: Type.Optional(Type.Boolean({ description: 'Whether sign-in is refused.' })),
}

const create = ({ passwords }: UserCommands) =>
  command<Attributes>({
    name: 'users.create',
    summary: 'Creates a local user.',
    method: 'POST',
    paths: ['/api/users'],
    status: 201,
    event: 'api:users:create',
    eventBody: ['username', 'display_name', 'email_address', 'disabled'],
    attributes: Type.Object(
      {
        username: Type.String({
          pattern: usernamePattern,
          shouldBe: usernameForm,
          description: 'The name to sign in with; never changes.',
        }),
        password,
        ...changeable,
      },
      { additionalProperties: false },
    ),
    answers: 'user',
    find: async () => ({}),
    needs: (_found, _request, actor) => onlySuperusers(actor),
    collides: async ({ tx }, _found, { attributes: { username } }) =>
      username !== undefined && (isReserved(username) || (await isNameTaken(tx, username)))
        ? taken(username)
        : undefined,
    run: async ({ tx, actor }, _found, { attributes }) => {
      const username = attributes.username.normalize('NFC')
      if (isReserved(username)) throw taken(username)
      const id = await insertUser(tx, {
        username,
        displayName: attributes.display_name,
        emailAddress: attributes.email_address,
        disabled: attributes.disabled,
        passwordHash: await passwords.hash(attributes.password),
        createdBy: actor,
      })
      if (!id) throw taken(username)
      return done({ id, event: { source: { type: 'user', id }, attributes: { name: username } } })
    },
  })

const taken = (username: string): Failure =>
  failure('code-taken', `The user name ${username} is taken; a name is never given twice.`, {
    source: { pointer: '/data/attributes/username' },
  })

interface Changes {
  password?: string
  current_password?: string
  display_name?: string | null
  email_address?: string | null
  disabled?: boolean
}

interface Found extends Target {
  user: User
  /** Whether the caller is that user. */
  self: boolean
}

const update = (options: UserCommands) =>
  command<Changes, Found>({
    name: 'users.update',
    summary:
      'Updates a user: superusers any user, others themselves. To change the own password, give the current one.',
    method: 'PATCH',
    paths: ['/api/users/:username'],
    status: 200,
    event: 'api:users:update',
    eventBody: ['display_name', 'email_address', 'disabled'],
    attributes: Type.Object(
      {
        password: Type.Optional(password),
        current_password: Type.Optional(
          Type.String({
            maxLength: passwordLength.most,
            description: 'Current password, required to change the own password.',
          }),
        ),
        ...changeable,
      },
      { additionalProperties: false },
    ),
    answers: 'user',
    find,
    needs: ({ self }, _request, actor) => (self ? onlyPeople(actor) : onlySuperusers(actor)),
    refuse: ({ user, self }, { attributes }) => {
      if (user.auth_provider !== 'local') {
        return failure('not-supported-here', 'This user comes from the directory and is changed there.')
      }
      return self && attributes.disabled ? notOneself('disable') : undefined
    },
    run: (context, found, request) => change(options, context, found, request),
  })

const remove = ({ keepLastSuperuser }: UserCommands) =>
  command<never, Found>({
    name: 'users.delete',
    summary: 'Deletes a user and revokes their tokens. The name cannot be used again.',
    method: 'DELETE',
    paths: ['/api/users/:username'],
    status: 204,
    event: 'api:users:destroy',
    eventBody: [],
    find,
    needs: (_found, _request, actor) => onlySuperusers(actor),
    refuse: ({ self }) => (self ? notOneself('delete') : undefined),
    run: async ({ tx }, { user }) => {
      await deleteUser(tx, user.id)
      await deletePersonalData(tx, user.id)
      await revokeTokensOfUser(tx, user.id)
      await keepLastSuperuser(tx)
      return done({ event: { source: { type: 'user', id: user.id }, attributes: { name: user.username } } })
    },
  })

async function find({ tx, actor }: Context, { params }: Request<unknown>): Promise<Found | undefined> {
  const user = await lockUser(tx, params['username']!.normalize('NFC'))
  if (!user) return undefined
  const self = user.id === actor.userId
  return { user, self, rowVersion: user.row_version, ...(!self && { readPath: usersPath }) }
}

const notOneself = (what: 'disable' | 'delete') => failure('wrong-state', `Users cannot ${what} themselves.`)

async function change(
  options: UserCommands,
  context: Context,
  { user, self }: Found,
  { attributes }: Request<Changes>,
): Promise<Outcome> {
  const { password, current_password: current, ...told } = attributes
  const now = { display_name: user.display_name, email_address: user.email_address, disabled: user.disabled }
  const wanted = { ...now, ...told }
  const same = Object.entries(now).every(([name, value]) => wanted[name as keyof typeof now] === value)
  if (same && password === undefined) return unchanged(user.id)
  if (self && password !== undefined) {
    const denied = await wrongPassword(options, context, user, current)
    if (denied) return denied
  }
  await updateUser(context.tx, user.id, {
    displayName: wanted.display_name,
    emailAddress: wanted.email_address,
    disabled: wanted.disabled,
    passwordHash: password === undefined ? undefined : await options.passwords.hash(password),
  })
  if (password !== undefined) await endOtherSessions(context.tx, user.id, context.actor.session?.id)
  if (wanted.disabled && !user.disabled) await options.keepLastSuperuser(context.tx)
  const changed = { name: user.username, ...(password !== undefined && { password_changed: true }) }
  return done({ id: user.id, event: { source: { type: 'user', id: user.id }, attributes: changed } })
}

/**
 * Checks the current password. A wrong one is counted like a failed sign-in: a stolen token must not help to guess the
 * password.
 */
async function wrongPassword(
  { keyring, passwords }: UserCommands,
  { tx, actor }: Context,
  user: User,
  current: string | undefined,
): Promise<Outcome | undefined> {
  const source = { pointer: '/data/attributes/current_password' }
  if (current === undefined) throw failure('required', 'Give the current password as current_password.', { source })
  const key = keyring.mac('failed password changes', user.id)
  const wait = await countAttempt(tx, key)
  if (wait !== undefined) throw tooManyRequests(`Too many wrong passwords: try again in ${wait} s.`, wait)
  if (await passwords.verify(user.password_hash, current)) {
    await forgiveAttempt(tx, key)
    return undefined
  }
  const denied = {
    type: 'audit:users:sign_in:denied',
    actor,
    source: { type: 'user', id: user.id },
    attributes: { name: user.username },
    throttle: { key: key.toString('base64'), seconds: 60 },
  }
  const wrong = failure('invalid', 'current_password is not the current password.', { source })
  // On the command's own connection: a second one for each request would exhaust the pool.
  return refused(wrong, [denied], after => countAttempt(after, key))
}
