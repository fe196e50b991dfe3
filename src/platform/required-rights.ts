import type { Actor, Need } from './actor.ts'
import { Failure, type Fault, failure } from './failure.ts'

/** A right that the service lacks where it acts in a user's name without their request. */
export function rightMissing({ username, scopeProjectId }: Actor, { right, path }: Need): Failure {
  const scope = scopeProjectId
    ? ' It was created with the token of a step, or runs what was: rights end at the project of that step.'
    : ''
  return failure('forbidden', `${username} may not ${right} ${path}.${scope}`)
}

/** @throws Failure `forbidden` with every missing right */
export function requireRights({ rights }: Pick<Actor, 'rights'>, needs: readonly Need[]): void {
  const lacking = needs.filter(({ right, path }) => !rights.may(right, path))
  const [first, ...others] = lacking.map(
    ({ right, path }): Fault => ({
      code: 'forbidden',
      detail: `This needs ${right} on ${path}.`,
      meta: { right, path },
    }),
  )
  if (first) throw new Failure([first, ...others])
}
