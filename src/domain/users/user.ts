import type { Actor, Need } from '#platform/actor.ts'
import { failure } from '#platform/failure.ts'

/**
 * Pattern of a user name, as the database checks it: no colon (the separator of HTTP Basic), no slash, no invisible
 * character.
 */
export const usernamePattern = '^(?! )[^:/\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]{1,255}(?<! )$'
/** Words that follow "should be". */
export const usernameForm =
  'a name of 1 to 255 characters without : and / and anything invisible, and without a blank at its ends'

/** The name under which the service itself acts. */
const reserved = 'system'

export const isReserved = (username: string): boolean => username.toLowerCase() === reserved

/** Whether a text can be a user name. */
export const isUsername = (name: string): boolean => new RegExp(usernamePattern, 'u').test(name) && !isReserved(name)

export const usersPath = '/admin/users'

export const pathOfUser = (username: string): string => `/api/users/${encodeURIComponent(username)}`

/**
 * Refuses all but superusers, who alone create, change and delete accounts: a user who could set another's password
 * would have their rights. A caller without the right gets that failure instead, or 404.
 *
 * @throws Failure forbidden
 */
export function onlySuperusers({ rights }: Actor): readonly Need[] {
  if (!rights.superuser && rights.may('update', usersPath)) {
    throw failure('forbidden', 'Only superusers may do this.', { meta: { right: 'superuser' } })
  }
  return [{ right: 'update', path: usersPath }]
}

/**
 * Refuses to steps what would outlive the step: its token ends with it, and so do all of its rights.
 *
 * @param instead what a step can do instead
 * @throws Failure forbidden
 */
export function notOfSteps({ via }: Actor, what: string, instead: string): readonly Need[] {
  if (via !== 'attempt') return []
  throw failure('forbidden', `The token of a step may not ${what}, which would outlive the step: ${instead}.`, {
    meta: { via },
  })
}

/**
 * Refuses decisions by anyone but a person signed in as themselves: a token of a step or an agent must not outlive its
 * purpose. A blocked user decides nothing, not even about their own records.
 *
 * @throws Failure forbidden
 */
export function onlyPeople({ via, rights }: Actor): readonly Need[] {
  if (rights.blocked) throw failure('forbidden', 'You are blocked: the policy blocked takes every right.')
  if (via === 'attempt' || via === 'agent') {
    throw failure('forbidden', 'Tokens of steps and agents may not do this.', { meta: { via } })
  }
  return []
}
