import Type from 'typebox'
import { type AnyCommand, command, done, type Target } from '#platform/commands/command.ts'
import { failure } from '#platform/failure.ts'
import { announce } from './key-rotation.store.ts'
import { keysHint, type Rotating, rotateKeys } from './rotate-keys.jobs.ts'

export const keyRotationsPath = '/admin/key_rotations'

/** Command that begins a rotation; a job does the rest. */
export const rotateKeysCommand = ({ keyring }: Rotating): AnyCommand =>
  command<{ root_key?: boolean }, Target>({
    name: 'key_rotations.create',
    summary: 'Starts to rotate the data key, and the root key on request, while the service runs.',
    method: 'POST',
    paths: ['/api/admin/key_rotations'],
    status: 201,
    event: 'api:key_rotations:create',
    eventBody: ['root_key'],
    attributes: Type.Object(
      {
        root_key: Type.Optional(
          Type.Boolean({
            description: 'Re-wraps all keys under the next root key, which every process must have been given.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: 'key_rotation',
    find: async () => ({}),
    needs: () => [{ right: 'update', path: keyRotationsPath }],
    run: async ({ tx, actor, enqueue }, _, { attributes: { root_key = false } }) => {
      if (root_key && !keyring.nextWrapping) throw failure('wrong-state', noNextRoot)
      const by = { rootKey: root_key, username: actor.username, userId: actor.userId }
      const id = await announce(tx, keyring, by)
      if (id === undefined) throw failure('wrong-state', 'A rotation of keys is under way: let it end first.')
      await enqueue(rotateKeys, {}, { key: rotateKeys })
      tx.hint(keysHint)
      return done({ id, event: { source: { type: 'key_rotation', id } } })
    },
  })

const noNextRoot =
  'There is no next root key yet. Put one beside the present: root.key.next beside root.key (openssl rand -base64 32, mode 600), or SLUICE_NEXT_ROOT_KEY beside SLUICE_ROOT_KEY, for every process; back it up first.'
