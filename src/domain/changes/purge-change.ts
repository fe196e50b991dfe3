import { type Context, done, type Outcome } from '#platform/commands/command.ts'
import { sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import { referencesIn } from '../secrets/index.ts'
import { overridesOf, type StoredChange } from './change.store.ts'
import { aboutChange, type OnChange } from './on-change.ts'
import type { ChangeParts } from './parts.ts'
import { purgeEnded } from './purge-ended.ts'

/**
 * Deletes a change that has ended for good (interface.md 6): its steps, log and artefacts, and the secrets that its input
 * steps were given. Its events stay. What retries have taken over of its artefacts they keep; their logs lose the lines
 * that were written in it.
 */
export async function purgeChange(
  parts: Pick<ChangeParts, 'keyring' | 'vaults' | 'record'>,
  { tx, actor, enqueue, record }: Context,
  { change, node }: OnChange,
): Promise<Outcome> {
  const { id } = change
  const secrets = secretsOf(parts, change)
  await purgeEnded({ tx, enqueue }, change, 'change')
  const retries = await tx.rows(sql<{ id: string; final: boolean }>`
    select c.id, a.final from changes c join activities a on a.id = c.id where c.retry_of = ${id}::uuid`)
  const under = retries.find(each => !each.final)
  if (under) throw failure('wrong-state', `The change is being retried, by the change ${under.id}, which needs it.`)
  await tx.count(sql`update changes set retry_of = null where retry_of = ${id}::uuid`)
  // A retry refers to the secrets that its original was given; they go with the last of them.
  if (retries.length === 0)
    for (const path of await withoutChange(tx, secrets, change)) await parts.vaults.forgetUnder({ tx, enqueue }, path)
  const { attributes, ...about } = aboutChange(id, node, change.action)
  await record({ type: 'api:changes:destroy', actor, ...about, attributes: { ...attributes, purged: true } })
  return done({ event: {} })
}

/** The changes under whose paths secrets lie that this one refers to: itself, and what it is a retry of. */
function secretsOf(parts: Pick<ChangeParts, 'keyring'>, change: StoredChange): readonly string[] {
  const under = `secret:/${change.path}/changes/`
  const named = referencesIn([overridesOf(parts.keyring, change)]).flatMap(reference =>
    reference.startsWith(under) ? [reference.slice(under.length).split('/')[0]!] : [],
  )
  return [...new Set([change.id, ...named])]
}

/** Of those, the paths of the ones that are gone. */
async function withoutChange(tx: Context['tx'], ids: readonly string[], { path }: StoredChange): Promise<string[]> {
  const there = await tx.rows(
    sql<{ id: string }>`select id::text from changes where id::text = any(${[...ids]}::text[])`,
  )
  return ids.filter(id => !there.some(each => each.id === id)).map(id => `${path}/changes/${id}`)
}
