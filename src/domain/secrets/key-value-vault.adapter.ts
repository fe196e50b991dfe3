import { type KeyValueEngine, keyValueEngine } from './key-value-engine.adapter.ts'
import { referenceOf, type SecretPlace } from './reference.ts'
import type { Vault } from './vault.port.ts'
import { deleteEntry, storeEntry } from './vault.store.ts'
import { type VaultConnection, vaultName } from './vault-connection.ts'
import { VaultFailure } from './vault-failure.ts'
import type { Outgoing } from './vault-request.adapter.ts'

/** Maximum number of concurrent requests for paths of one vault. */
const atOnce = 4
/**
 * Minimum length of a secret, as for secrets stored through Sluice: a shorter one cannot be masked without masking the
 * log.
 */
const shortest = 4

/** A vault of the organisation: `secret://projects/bank/db/password` is the key `password` of its path `projects/bank/db`. */
export function keyValueVault(connection: VaultConnection, outgoing: Outgoing): Vault {
  const engine = keyValueEngine(connection, outgoing)
  const name = vaultName(connection)
  return {
    read: async (queries, places) => {
      const paths = [...new Set(places.map(({ path }) => path))].sort()
      if (paths.length === 0) return new Map()
      const question = `read ${JSON.stringify([name, paths])}`
      const found = await queries.external(question, () => readPaths(engine, paths))
      const values = new Map<string, string>()
      for (const place of places) {
        const its = found.get(place.path)
        // A key may have the name of an inherited property.
        const value = its && Object.hasOwn(its, place.key) ? its[place.key] : undefined
        if (value !== undefined && value !== null) values.set(referenceOf(place), asSecret(value, place))
      }
      return values
    },
    store: async (tx, { value, ...place }, by) => {
      await tx.external(`store ${JSON.stringify([name, place.path, place.key])}`, () =>
        engine.write(place.path, values => ({ ...values, [place.key]: value })),
      )
      return storeEntry(tx, place, { keptIn: name }, by)
    },
    remove: async (queries, place) => {
      await queries.external(`remove ${JSON.stringify([name, place.path, place.key])}`, () =>
        engine.write(place.path, values => {
          const { [place.key]: gone, ...others } = values
          return gone === undefined ? undefined : others
        }),
      )
      await deleteEntry(queries, place)
    },
  }
}

type Values = Readonly<Record<string, unknown>>

async function readPaths(engine: KeyValueEngine, paths: readonly string[]): Promise<Map<string, Values>> {
  const found = new Map<string, Values>()
  const left = [...paths]
  const readOn = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift())
      found.set(path, (await engine.read(path)).values)
  }
  await Promise.all(Array.from({ length: atOnce }, readOn))
  return found
}

/** Secret as a text. People may have stored a number, or a document. */
function asSecret(value: unknown, place: SecretPlace): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (text.length >= shortest) return text
  throw new VaultFailure(
    `${referenceOf(place)} has fewer than ${shortest} characters: it could not be masked in a log. Store a longer one.`,
  )
}
