import { isBlocked, isSuperuser } from './may.ts'
import { answered, type Body, condition, type Drawing, drawn, type Question, surprise, times } from './predicted.ts'
import type { Token } from './world.ts'

/** Tokens belong to their owners, and superusers see and revoke all; revoked ones no longer exist. */

const sees = ({ world, by }: Drawing, { owner }: Token) =>
  !isBlocked(world, by) && (owner === by || isSuperuser(world, by))

export function createToken({ world, chance, by }: Drawing): Question {
  const { attributes, malformed, invalid } = drawn(chance, {
    description: [...times(6, ['For a program'] as const), ['', 'invalid'], [undefined, 'required']],
    expires_at: [...times(6, ['2099-01-01T00:00:00Z'] as const), ['tomorrow']],
    surprise,
  })
  const predicted = answered(
    {
      malformed,
      forbidden: () => isBlocked(world, by),
      invalid: () => invalid,
      impossible: () =>
        attributes['expires_at'] === 'tomorrow' ? [{ code: 'invalid', at: '/data/attributes/expires_at' }] : [],
    },
    {
      status: 201,
      effect: ({ data, meta }: Body) => {
        world.tokens.push({ id: data.id, owner: by, secret: meta.token, isRevoked: false })
      },
      shows: ({ data }) => [
        [data.attributes.created_by, by],
        [JSON.stringify(data).includes('"token":'), false],
      ],
    },
  )
  return { method: 'POST', path: '/tokens', by, attributes, predicted }
}

export function revokeToken(drawing: Drawing): Question {
  const token = drawing.chance.of(drawing.world.tokens)
  const { stale, headers } = condition(drawing.chance)
  const predicted = answered(
    { missing: token.isRevoked || !sees(drawing, token), stale },
    { status: 204, effect: () => Object.assign(token, { isRevoked: true }) },
  )
  return { method: 'DELETE', path: `/tokens/${token.id}`, by: drawing.by, ...(headers && { headers }), predicted }
}

export function listTokens(drawing: Drawing): Question {
  const tokens = drawing.world.tokens.filter(token => !token.isRevoked && sees(drawing, token))
  const shows = ({ data }: Body) => [[data.map(({ id }: Body) => id), tokens.map(({ id }) => id).toReversed()]] as const
  return { method: 'GET', path: '/tokens?limit=1000', by: drawing.by, predicted: { status: 200, shows } }
}
