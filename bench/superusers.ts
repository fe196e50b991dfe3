import { connect, noRetries, type Sluice } from '../client/sluice.ts'
import { type Installation, withClient } from './installation.ts'

/** Clients of as many new superusers: limits per user then apply to each of them alone. */
export async function superusers({ sluice, url, password, ownerUrl }: Installation, count: number): Promise<Sluice[]> {
  const names = Array.from({ length: count }, (_, at) => `client-${at}`)
  for (const username of names) await sluice.create('/api/users', { username, password })
  await withClient(ownerUrl, client =>
    client.query(
      `insert into policy_assignments (policy_id, assignee_id, created_by)
       select p.id, u.id, 'bench' from authorisation_policies p, users u
        where p.system = 'superuser' and u.username = any($1)`,
      [names],
    ),
  )
  return names.map(user => connect(url, { user, password }, noRetries))
}
