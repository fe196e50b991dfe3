import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import { type AnyCommand, answered, type Context, command } from '#platform/commands/command.ts'
import type { RecordEvent } from '#platform/events.ts'
import { failure } from '#platform/failure.ts'
import { findChange } from '../changes/index.ts'
import { eventNode, findNodeById } from '../nodes/index.ts'
import { ownPlace, secretAt, secretReference, usualMaking } from '../secrets/index.ts'
import type { StepExecutionParts } from './parts.port.ts'
import { findRequestingStep, needsOfOwn, type RequestingStep } from './requesting-step.store.ts'

type SecretParts = Pick<StepExecutionParts, 'vaults' | 'record' | 'maskFirst'>

interface Asked {
  readonly path: string
  readonly key: string
  readonly length?: number
  readonly characters?: string
  readonly make?: boolean
}

const segment = '[^/\\s\\u0000-\\u001f\\u007f]+'
const path = Type.String({
  pattern: `^/?${segment}(/${segment})*$`,
  shouldBe: 'names with a / between them and none at the end, without blanks, of at most 1000 characters in all',
  maxLength: 1_000,
  description: 'Path below the node of the change.',
})
const key = Type.String({
  pattern: `^${segment}$`,
  shouldBe: 'a name without / and blanks, of at most 255 characters',
  maxLength: 255,
  description: 'Name in the directory.',
})

/** `step.secrets` of @sluice/actions: only secrets of the node that the change is on. */
export const stepSecretCommands = (parts: SecretParts): AnyCommand[] => [get(parts), removeSecrets(parts)]

const get = (parts: SecretParts) =>
  command<Asked, RequestingStep>({
    name: 'steps.secret',
    summary: "Returns a secret of the step's node to the step; generated at random on the first request.",
    method: 'POST',
    paths: ['/api/steps/:id/secret'],
    status: 200,
    // api:secrets:encrypt if one is created, api:secrets:resolve if it exists.
    event: null,
    eventBody: [],
    secret: true,
    attributes: Type.Object(
      {
        path,
        key,
        length: Type.Optional(
          Type.Integer({ minimum: 8, maximum: 1_024, description: 'Number of characters; default 32.' }),
        ),
        characters: Type.Optional(
          Type.String({
            minLength: 2,
            maxLength: 256,
            description: 'Alphabet; default letters and digits.',
          }),
        ),
        make: Type.Optional(Type.Boolean({ description: 'false: a missing secret is not created.' })),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      data: Type.Object({
        type: Type.Literal('secret'),
        id: Type.String(),
        attributes: Type.Object({ value: Type.String(), reference: Type.String(), made: Type.Boolean() }),
      }),
    }),
    find: ({ tx }, { params }) => findRequestingStep(tx, params['id']!),
    needs: (step, _, actor) =>
      needsOfOwn(
        step,
        actor,
        { right: 'execute', path: `${step.readPath}/secrets` },
        { right: 'update', path: `${step.readPath}/secrets` },
      ),
    run: async ({ tx, actor }, step, { attributes }) => {
      const { make = true, length = usualMaking.length, characters = usualMaking.characters } = attributes
      const place = placeOf(step, attributes.path, attributes.key)
      const by = { userId: actor.userId, username: actor.username, projectId: step.project_id }
      const found = await secretAt(tx, parts.vaults, place, by, make ? { length, characters } : undefined)
      const reference = secretReference(place)
      if (!found) throw failure('invalid', `There is no secret ${reference}.`, { source: at('key') })
      if (actor.stepId !== undefined) await parts.maskFirst(tx, actor.stepId, found.value)
      const type = found.made ? 'api:secrets:encrypt' : 'api:secrets:resolve'
      await recordSecretEvent(parts.record, { tx, actor }, step, type, { vault_path: place.path, vault_key: place.key })
      const shown = { data: { type: 'secret', id: reference, attributes: { ...found, reference } } }
      return { outcome: 'answered', status: 200, body: shown }
    },
  })

const removeSecrets = (parts: Pick<SecretParts, 'vaults' | 'record'>) =>
  command<Pick<Asked, 'path'> & Partial<Pick<Asked, 'key'>>, RequestingStep>({
    name: 'steps.forget_secrets',
    summary: "Deletes a secret of the step's node, or all secrets under a path, for the step.",
    method: 'POST',
    paths: ['/api/steps/:id/forget_secrets'],
    status: 200,
    event: null,
    eventBody: [],
    attributes: Type.Object({ path, key: Type.Optional(key) }, { additionalProperties: false }),
    answer: Type.Object({
      data: Type.Object({
        type: Type.Literal('secrets'),
        id: Type.String(),
        attributes: Type.Object({ removed: Type.Integer() }),
      }),
    }),
    find: ({ tx }, { params }) => findRequestingStep(tx, params['id']!),
    needs: (step, _, actor) => needsOfOwn(step, actor, { right: 'update', path: `${step.readPath}/secrets` }),
    run: async ({ tx, actor }, step, { attributes }) => {
      const { path: under } = placeOf(step, attributes.path, attributes.key ?? 'any')
      const removed = await parts.vaults.remove(tx, { path: under, key: attributes.key })
      if (removed > 0)
        await recordSecretEvent(parts.record, { tx, actor }, step, 'api:secrets:remove', {
          vault_path: under,
          ...(attributes.key !== undefined && { vault_key: attributes.key }),
          removed_count: removed,
        })
      return answered({ data: { type: 'secrets', id: step.id, attributes: { removed } } })
    },
  })

const at = (name: string) => ({ pointer: `/data/attributes/${name}` })

function placeOf(step: RequestingStep, under: string, name: string) {
  const place = ownPlace(step.readPath, under, name)
  if (!place) throw failure('invalid', 'This path is that of another node.', { source: at('path') })
  return place
}

async function recordSecretEvent(
  record: RecordEvent,
  { tx, actor }: Pick<Context, 'tx'> & { readonly actor: Actor },
  step: RequestingStep,
  type: 'api:secrets:encrypt' | 'api:secrets:resolve' | 'api:secrets:remove',
  attributes: Readonly<Record<string, string | number>>,
): Promise<void> {
  const change = (await findChange(tx, step.change_id))!
  const node = (await findNodeById(tx, change.node_id))!
  await record(tx, {
    type,
    actor: { userId: actor.userId, username: actor.username },
    source: { type: 'step', id: step.id },
    node: eventNode(node),
    activityId: step.change_id,
    attributes: { ...attributes },
  })
}
