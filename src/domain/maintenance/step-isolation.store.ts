import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'

export type Sandboxing = 'always' | 'unless_switched_off' | 'never'

/**
 * Isolation of this installation's steps: that of the process with the weakest one; null while no process starts steps.
 * An older release beside this one does not report it.
 */
export async function stepIsolationOf(
  queries: Queries,
  settings: JsonObject,
): Promise<{ user: 'separate' | 'service'; sandbox: Sandboxing } | null> {
  const weakest = await queries.one(sql<{ sandboxed: boolean | null; own_user: boolean | null }>`
    select bool_and(steps_sandboxed) as sandboxed, bool_and(steps_own_user) as own_user
      from service_processes
     where role <> 'api' and heartbeat_at > sluice_now() - interval '30 seconds'`)
  if (!weakest || weakest.sandboxed === null) return null
  return {
    user: weakest.own_user ? 'separate' : 'service',
    sandbox: weakest.sandboxed ? bySettings(settings) : 'never',
  }
}

function bySettings(settings: JsonObject): Sandboxing {
  if (settings['runner.sandbox'] === false) return 'never'
  const allowed = settings['allowed.runner.sandbox']
  return Array.isArray(allowed) && allowed.includes(false) ? 'unless_switched_off' : 'always'
}
