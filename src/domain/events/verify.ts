import { isDeepStrictEqual } from 'node:util'
import { fromJson } from '#json/from-json.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Proof } from './record.ts'
import { chainHash, digestOf } from './seal.jobs.ts'

export interface Verdict {
  /** Seals that were checked. */
  sealed: number
  /** Sealed events that are no longer there: removed as old, by the clean-up of events. Their digests still chain. */
  removed: number
  /** What does not hold, at most 100 of it. Empty: the audit trail is whole and unchanged. */
  faults: { seq: number | null; eventId: string | null; what: string }[]
}

type Sealed = Proof & {
  seq: number
  event_id: string
  digest: Buffer
  hash: Buffer
  id: string | null
  created_at: string
  body: Buffer
}

const batch = 1_000

/**
 * Proves the audit trail: every event has the digest that was sealed, its columns say what its body says, the seals chain
 * without a gap up to the head, and nothing lies below the sealed bound without a seal.
 */
export async function verifyAuditTrail(queries: Queries): Promise<Verdict> {
  const verdict: Verdict = { sealed: 0, removed: 0, faults: [] }
  const head = (await queries.one(sql<{ seq: number; hash: Buffer }>`select seq, hash from audit_head`))!
  let hash: Buffer = Buffer.alloc(32)
  let seq = 0
  while (verdict.faults.length < 100) {
    const next = await queries.rows(sql<Sealed>`
      select s.seq, s.event_id, s.digest, s.hash, e.id, e.created_at, e.body, e.type, e.system, e.username, e.user_id,
             e.project_id, e.node_id, e.path, e.source_type, e.source_id, e.activity_id, e.attributes
        from event_seals s
        left join events e on e.id = s.event_id
       where s.seq > ${seq} and s.seq <= ${head.seq}
       order by s.seq
       limit ${batch}`)
    for (const sealed of next) {
      for (const what of faultsOf(sealed, { seq, hash }))
        verdict.faults.push({ seq: sealed.seq, eventId: sealed.event_id, what })
      if (sealed.id === null) verdict.removed += 1
      ;({ seq, hash } = sealed)
    }
    verdict.sealed += next.length
    if (next.length < batch) break
  }
  if (seq !== head.seq || !hash.equals(head.hash))
    verdict.faults.push({ seq, eventId: null, what: `the chain ends at ${seq}, its head says ${head.seq}` })
  verdict.faults.push(...(await unsealed(queries)))
  verdict.faults = verdict.faults.slice(0, 100)
  return verdict
}

function faultsOf(sealed: Sealed, before: { seq: number; hash: Buffer }): string[] {
  const faults: string[] = []
  if (sealed.seq !== before.seq + 1) faults.push(`seals ${before.seq + 1} to ${sealed.seq - 1} are missing`)
  if (!chainHash(before.hash, sealed.seq, sealed.digest).equals(sealed.hash)) faults.push('the seal does not chain')
  if (sealed.id === null) return faults
  if (!digestOf({ ...sealed, id: sealed.id }).equals(sealed.digest)) return [...faults, 'the event was changed']
  const proof = fromJson(sealed.body.toString()) as Record<string, unknown>
  const differing = Object.keys(proof).filter(key => !isDeepStrictEqual(proof[key], sealed[key as keyof Proof]))
  if (differing.length > 0) faults.push(`the event’s ${differing.join(', ')} differ from what was sealed`)
  return faults
}

async function unsealed(queries: Queries): Promise<Verdict['faults']> {
  const rows = await queries.rows(sql<{ id: string }>`
    select e.id
      from events e
      left join event_seals s on s.event_id = e.id
     where e.tx < (select sealed_below from audit_head) and s.event_id is null
     limit 100`)
  return rows.map(({ id }) => ({ seq: null, eventId: id, what: 'the event was put in without being sealed' }))
}
