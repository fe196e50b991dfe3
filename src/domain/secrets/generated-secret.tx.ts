import { randomInt } from 'node:crypto'
import type { Tx } from '#platform/db/database.ts'
import { lockNamed } from '#platform/db/locks.ts'
import { leadsElsewhere, mayUse, referenceOf, type SecretPlace } from './reference.ts'
import type { StoredBy, Vaults } from './vault.port.ts'

/** Length and alphabet of a generated secret. */
export interface Making {
  readonly length: number
  readonly characters: string
}

export const usualMaking: Making = {
  length: 32,
  characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
}

/**
 * Secret of a node, generated at random if there is none. Concurrent callers get the same one: they wait for one
 * another.
 *
 * @param making undefined: none is generated
 * @returns undefined if there is none and none was to be generated
 */
export async function secretAt(
  tx: Tx,
  vaults: Pick<Vaults, 'read' | 'store'>,
  place: SecretPlace,
  by: StoredBy,
  making: Making | undefined,
): Promise<{ readonly value: string; readonly made: boolean } | undefined> {
  const reference = referenceOf(place)
  await lockNamed(tx, `secret made: ${reference}`)
  const known = (await vaults.read(tx, [place])).get(reference)
  if (known !== undefined || making === undefined)
    return known === undefined ? undefined : { value: known, made: false }
  // A transaction that calls a vault is restarted: it has to generate the same value again.
  const value = await tx.external(`make ${reference}`, async () => random(making))
  await vaults.store(tx, { ...place, value }, by)
  return { value, made: true }
}

const random = ({ length, characters }: Making): string => {
  const from = [...characters]
  return Array.from({ length }, () => from[randomInt(from.length)]!).join('')
}

/** `database`, `/database` and the whole path from the root are the same. Undefined for a path of another node. */
export function ownPlace(node: string, path: string, key: string): SecretPlace | undefined {
  const relative = path.startsWith(`${node}/`) ? path.slice(node.length + 1) : path.replace(/^\//, '')
  const place = { path: `${node}/${relative}`, key }
  // assets/web below a project would be a secret of that asset, whose right was not checked.
  return mayUse(node, place) && !leadsElsewhere(relative) ? place : undefined
}
