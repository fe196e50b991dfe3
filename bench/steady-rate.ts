import { withClient } from './installation.ts'

/**
 * Ends of the steps `one` of these changes, a second, in the middle half of all of them: by then runners have started,
 * and few are idle.
 */
export function steadyRate(url: string, ids: readonly string[]): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `with ended as (
         select finished_at, ntile(4) over (order by finished_at) as quarter
           from steps
          where action = 'one' and activity_id = any($1)
       )
       select count(*) / extract(epoch from max(finished_at) - min(finished_at))::float as rate
         from ended
        where quarter in (2, 3)`,
      [ids],
    )
    return rows[0].rate
  })
}
