import type { KeyRotation } from '../client/generated/api.ts'
import type { Resource } from '../client/sluice.ts'
import { documentText } from './output.ts'
import { plainLine } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

const rotations = '/api/admin/key_rotations'

/** Begins a rotation of the keys, or goes on watching the one that is under way, and answers 0 once it has ended. */
export async function rotateKeys(terminal: Terminal, options: { root?: boolean; wait: boolean }): Promise<number> {
  const { sluice, format, write, say } = terminal
  const begun = await underWay(terminal)
  if (begun && options.root && !begun.attributes.root_key)
    throw new Error(
      'Another rotation is under way, of the data key alone. sluice keys rotate watches it; then begin this one.',
    )
  const made =
    begun ??
    ((await sluice.send('POST', rotations, { data: { attributes: { root_key: options.root === true } } }))!
      .data as Rotation)
  if (begun) say('A rotation is under way already; this is how it goes on.')
  const last = options.wait ? await watched(terminal, made) : made
  if (format === 'json' || format === 'yaml') write(documentText({ data: last }, format))
  else write(plainLine(inWords(last)).concat('\n'))
  return 0
}

type Rotation = Resource<KeyRotation>

async function underWay({ sluice }: Terminal): Promise<Rotation | undefined> {
  const { data } = (await sluice.send('GET', `${rotations}?filter[finished_at_null]=1`))!
  return (data as Rotation[])[0]
}

/** It may take hours, and what is waited for may have to be done by the one who watches. */
async function watched({ sluice, say }: Terminal, rotation: Rotation): Promise<Rotation> {
  let now = rotation
  let said = ''
  while (now.attributes.status !== 'success') {
    const line = inWords(now)
    if (line !== said) say(line)
    said = line
    await new Promise(resolve => setTimeout(resolve, 250))
    now = (await sluice.send('GET', `${rotations}/${now.id}`))!.data as Rotation
  }
  return now
}

function inWords({ attributes }: Rotation): string {
  const { status, waiting_for, data_key, resealed, root_key } = attributes
  const of = `Data key ${data_key}${root_key ? ' and the next root key' : ''}`
  if (status === 'success') return `${of}: in use alone; ${resealed} records were sealed anew.`
  return `${of}: ${stages[status as keyof typeof stages]}${waiting_for === null ? '' : `, waiting for ${waiting_for}`}.`
}

const stages = {
  announced: 'announced to all processes',
  switching: 'in use, as each process learns of it',
  resealing: 'in use; what was sealed before is sealed anew',
} as const
