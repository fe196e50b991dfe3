import type { Actor, Need } from './actor.ts'
import { Failure, type Fault } from './failure.ts'

/** @throws Failure `forbidden` with every right that is missing */
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
