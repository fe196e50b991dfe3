import type { KeyRotation } from '../client/generated/api.ts'
import type { Resource } from '../client/sluice.ts'
import { documentText } from './output.ts'
import { plainLine } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

const rotations = '/api/admin/key_rotations'

/** Starts a key rotation, or follows the one in progress. @returns exit status 0 once it has ended */
export async function rotateKeys(terminal: Terminal, options: { root?: boolean; wait: boolean }): Promise<number> {
  const { sluice, format, write, say } = terminal
  const begun = await rotationInProgress(terminal)
  if (begun && options.root && !begun.attributes.root_key)
    throw new Error(
      'A rotation of the data key alone is in progress. Wait for it with sluice keys rotate, then start this one.',
    )
  const made =
    begun ??
    ((await sluice.send('POST', rotations, { data: { attributes: { root_key: options.root === true } } }))!
      .data as Rotation)
  if (begun) say('A rotation is already in progress; following it.')
  const last = options.wait ? await waitForRotation(terminal, made) : made
  if (format === 'json' || format === 'yaml') write(documentText({ data: last }, format))
  else write(plainLine(rotationText(last)).concat('\n'))
  return 0
}

type Rotation = Resource<KeyRotation>

async function rotationInProgress({ sluice }: Terminal): Promise<Rotation | undefined> {
  const { data } = (await sluice.send('GET', `${rotations}?filter[finished_at_null]=1`))!
  return (data as Rotation[])[0]
}

/** Polls without a time limit: a rotation can take hours and may wait for an action of the user. */
async function waitForRotation({ sluice, say }: Terminal, rotation: Rotation): Promise<Rotation> {
  let now = rotation
  let said = ''
  while (now.attributes.status !== 'success') {
    const line = rotationText(now)
    if (line !== said) say(line)
    said = line
    await new Promise(resolve => setTimeout(resolve, 250))
    now = (await sluice.send('GET', `${rotations}/${now.id}`))!.data as Rotation
  }
  return now
}

function rotationText({ attributes }: Rotation): string {
  const { status, waiting_for, data_key, resealed, root_key } = attributes
  const of = `Data key ${data_key}${root_key ? ' and the next root key' : ''}`
  if (status === 'success') return `${of}: rotation complete, ${resealed} records re-encrypted.`
  return `${of}: ${stages[status as keyof typeof stages]}${waiting_for === null ? '' : `, waiting for ${waiting_for}`}.`
}

const stages = {
  announced: 'announced to all processes',
  switching: 'processes are switching to it',
  resealing: 'in use; re-encrypting existing records',
} as const
