import type pg from 'pg'
import type { Keyring } from '../../src/platform/crypto/index.ts'
import { copyIn } from './copy.ts'

type Name = 'settings' | 'properties'

/** Number of records that are read and sealed at a time. */
const atOnce = 20_000

/**
 * The first version of each record of `settings` or `properties` in the tree. Encrypted values are bound to their
 * record, so these rows are generated here and copied on one connection, while another reads the records.
 *
 * @returns the number of versions
 */
export async function sealFirstVersions(
  name: Name,
  { from, to, keyring }: { from: pg.Client; to: pg.Client; keyring: Keyring },
): Promise<number> {
  let written = 0
  // With the installation's key, as documents are hashed.
  const hashes = new Map<string, string>()
  const hashOf = (text: string) => {
    const known = hashes.get(text) ?? keyring.mac('document', text).toString('hex')
    hashes.set(text, known)
    return known
  }

  async function* pieces(): AsyncGenerator<string> {
    await from.query('begin')
    await from.query(`
      declare records no scroll cursor for
       select r.id, r.owner_type, r.created_by, r.user_id, r.created_at::text as created_at
         from ${name} r
        where not exists (select from ${name}_versions v where v.${name}_id = r.id)`)
    for (;;) {
      const { rows } = await from.query(`fetch ${atOnce} from records`)
      if (rows.length === 0) break
      let text = ''
      for (const { id, owner_type, created_by, user_id, created_at } of rows) {
        const data = name === 'properties' && owner_type === 'Asset' ? documents[written % documents.length]! : '{}'
        const sealed = (await keyring.sealText(data, `${name}_versions:${id}:1`)).toString('hex')
        text += `${id}\t1\t\\\\x${sealed}\t\\\\x${hashOf(data)}\t${created_by}\t${user_id ?? '\\N'}\t${created_at}\t${created_at}\n`
        written += 1
      }
      yield text
    }
    await from.query('commit')
  }

  await copyIn(
    to,
    `copy ${name}_versions (${name}_id, version, data, data_sha, created_by, user_id, active_from, created_at) from stdin`,
    pieces(),
  )
  return written
}

const documents = Array.from({ length: 50 }, (_, i) =>
  JSON.stringify({ port: 8_000 + i, rack: `r${i % 9}`, owner: { team: `team-${i % 7}`, duty: i % 2 === 0 } }),
)
