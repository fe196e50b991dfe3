import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import { heldMaintenanceMode } from '../../src/domain/settings/index.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { EngineWorld } from '../support/engine-world.ts'
import { type DeedContext, deeds } from './deeds.ts'
import { haltingDatabase } from './halting.ts'
import type { What, Wish } from './history.ts'

/** Worker process with its own connections that executes deeds on the installation. */

export interface Setting {
  readonly appUrl: string
  readonly rootKey: string
  readonly project: string
  readonly nodes: readonly string[]
}

export interface Order {
  readonly number: number
  readonly what: What
  readonly id: string
  readonly tag: string
  readonly wish: Wish | undefined
  readonly haltBefore?: number
}

export type Told =
  | { readonly is: 'ready' }
  | { readonly is: 'halted'; readonly number: number }
  | { readonly is: 'done'; readonly number: number; readonly answer: unknown }
  | { readonly is: 'failed'; readonly number: number; readonly error: string }

const tell = (told: Told): void => void process.send!(told)
const halted = new Map<number, () => void>()

process.once('message', async (setting: Setting) => {
  const database = openDatabase({ url: setting.appUrl, name: `carrier ${process.pid}`, size: 8 })
  const keyring = await openKeyring({ database, rootKey: Buffer.from(setting.rootKey, 'hex') })
  process.on('message', (order: Order | { goOn: number }) => {
    if ('goOn' in order) halted.get(order.goOn)?.()
    else void carryOut(order, setting, database, keyring)
  })
  tell({ is: 'ready' })
})
// The parent process is gone.
process.once('disconnect', () => process.exit())

/** 25P03: idle in its transaction for 15 s; 57014: waited for a lock for 30 s. */
const timedOut = new Set(['25P03', '57014'])

async function carryOut(
  { number, what, id, tag, wish, haltBefore }: Order,
  { appUrl, project, nodes }: Setting,
  all: Database,
  keyring: EngineWorld['parts']['keyring'],
): Promise<void> {
  const halt = () =>
    new Promise<void>(resolve => {
      halted.set(number, resolve)
      tell({ is: 'halted', number })
    })
  const own = { appUrl, ownerUrl: '', superuserUrl: '', name: '', drop: async () => {} }
  const database = haltingDatabase(all, haltBefore, halt)
  const world = new EngineWorld(own, database, keyring, project, nodes[0]!, {
    maintenanceMode: heldMaintenanceMode,
    superusers: async queries =>
      (await queries.rows(sql<{ id: string }>`select id from testing.superusers`)).map(row => row.id),
  })
  try {
    const done = deeds[what.do] as (around: DeedContext, what: What) => Promise<unknown>
    tell({ is: 'done', number, answer: await done({ world, nodes, id, tag, wish }, what) })
  } catch (error) {
    // If the machine itself was suspended for so long, PostgreSQL ends the halted connection, as if the process had
    // been killed.
    if (isDatabaseAway(error) || timedOut.has((error as { code?: string }).code ?? ''))
      return tell({ is: 'done', number, answer: 'soon' })
    tell({ is: 'failed', number, error: `${what.do}: ${(error as Error).stack}` })
  }
}
