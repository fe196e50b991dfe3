import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { theService } from '#platform/actor.ts'
import { type LiveKeyring, resealBatch, rewrap, type SealedTable } from '#platform/crypto/index.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import {
  beginResealing,
  finish,
  inASecond,
  noteProgress,
  olderTransactions,
  openRotation,
  type Rotation,
  stillSealingBefore,
  unaware,
  useKey,
  waitFor,
} from './key-rotation.store.ts'

export const rotateKeys = 'maintenance.rotate_keys'
/** Notifies every process of new keys. */
export const keysHint = 'keys'

export interface Rotating {
  readonly keyring: LiveKeyring
  readonly sealed: readonly SealedTable[]
}

/**
 * Time in milliseconds that a rotation waits for other processes within one run of its job; then the queue runs it
 * again.
 */
const maxWaitMilliseconds = 5_000
const between = 100

/**
 * Continues a rotation from its current state: announced, until every process knows the key; switching, until every
 * process encrypts with it; resealing, until a whole pass over all encrypted columns has found nothing under an earlier
 * key. Each step is one transaction, so that after a killed process another one continues from there.
 */
export const rotateKeysJob = (parts: Rotating): Job => ({
  name: rotateKeys,
  run: async (_: object, runtime) => {
    const { database, stopping } = runtime
    const until = performance.now() + maxWaitMilliseconds
    for (;;) {
      // Thrown at a stop, so that the queue runs it again.
      stopping.throwIfAborted()
      const rotation = await openRotation(database)
      if (!rotation) return
      const waitsFor = await stages[rotation.status as keyof typeof stages](parts, runtime, rotation)
      if (waitsFor === undefined) continue
      await waitFor(database, rotation, waitsFor)
      if (performance.now() > until) return lookAgain(runtime)
      await pause(between, undefined, { signal: stopping })
    }
  },
})

const lookAgain = ({ database, enqueue }: Runtime): Promise<void> =>
  database.transaction(async tx => {
    const runAt = await inASecond(tx)
    await enqueue(tx, rotateKeys, {}, { key: rotateKeys, runAt })
  })

/** Stage of a rotation: takes the next action, or returns what it waits for. */
type Stage = (parts: Rotating, runtime: Runtime, rotation: Rotation) => Promise<string | undefined>

const announced: Stage = async ({ keyring }, { database }, rotation) => {
  const { nextRoot } = await keyring.refresh()
  const { wrapping, nextWrapping } = keyring
  if (rotation.root_key && !nextWrapping) return `process ${process.pid} on ${hostname()}, which ${missingRootKey}`
  const missing = await unaware(database, rotation, nextRoot)
  if (missing.length > 0)
    return missing
      .map(
        ({ host, pid, lacks_key }) => `process ${pid} on ${host}, which ${lacks_key ? unknownDataKey : missingRootKey}`,
      )
      .join('; ')
  await database.transaction(async tx => {
    const now = await openRotation(tx, true)
    if (now?.status !== 'announced') return
    if (rotation.root_key) await rewrap(tx, wrapping, nextWrapping!)
    await useKey(tx, rotation)
    tx.hint(keysHint)
  })
  failpoint('key-in-use')
  return undefined
}

const unknownDataKey = 'does not know the new data key (of an earlier release it never will: update it first)'
const missingRootKey = 'has not been given the same next root key'

const switching: Stage = async ({ keyring }, { database }, rotation) => {
  await keyring.refresh()
  const others = await stillSealingBefore(database, rotation)
  if (others.length > 0)
    return others.map(({ host, pid }) => `process ${pid} on ${host}, which seals with an earlier key`).join('; ')
  await database.transaction(async tx => {
    if ((await openRotation(tx, true))?.status === 'switching') await beginResealing(tx, rotation)
  })
  return undefined
}

const resealing: Stage = async ({ keyring, sealed }, { database, record }, rotation) => {
  if (await olderTransactions(database, rotation)) return 'transactions that began before'
  const outcome = await database.transaction(async tx => {
    const now = await openRotation(tx, true)
    if (now?.status !== 'resealing') return undefined
    const table = sealed[now.tables_done]
    if (table) {
      const { place, resealed, skipped } = await resealBatch(tx, keyring, table, now.data_key, now.place)
      await noteProgress(tx, now, {
        tables_done: place === null ? now.tables_done + 1 : now.tables_done,
        place,
        found: now.found + resealed + skipped,
        resealed: now.resealed + resealed,
      })
      return undefined
    }
    if (now.found > 0) {
      await noteProgress(tx, now, { ...now, tables_done: 0, place: null, found: 0 })
      return 'rows that others hold'
    }
    await finish(tx, now)
    tx.hint(keysHint)
    await record(tx, {
      type: 'info:key_rotation:success',
      actor: theService,
      source: { type: 'key_rotation', id: now.id },
      attributes: { resealed: now.resealed, root_key: now.root_key },
    })
    return undefined
  })
  failpoint('key-resealed')
  return outcome
}

const stages = { announced, switching, resealing } as const
