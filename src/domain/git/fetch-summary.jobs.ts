import { theService } from '#platform/actor.ts'
import { sql } from '#platform/db/sql.ts'
import type { Job } from '#platform/domain.ts'
import type { SettingsReader } from '../settings/index.ts'

/**
 * Summary of the remotes that are fetched periodically. Durations are those of the newest fetch of each, in seconds.
 */
interface Summary {
  readonly remotes: number
  readonly failing: number
  readonly never_fetched: number
  readonly oldest_fetch_at: string | null
  readonly fastest_seconds: number | null
  readonly median_seconds: number | null
  readonly p95_seconds: number | null
  readonly slowest_seconds: number | null
}

/**
 * How the fetches of all remotes go, once in each interval of the settings; the first time when the oldest remote has
 * been there for one.
 */
export const summariseFetches = ({ settings }: { readonly settings: SettingsReader }): Job => ({
  name: 'git.summarise_fetches',
  cron: '* * * * *',
  run: async (_: unknown, { database, record }) => {
    const { data } = await settings.global(database)
    if (data['git_remote.periodic_fetch_summary.enabled'] === false) return
    const seconds = Number(data['git_remote.periodic_fetch_summary.interval'])
    await database.transaction(async tx => {
      const summary = await tx.one(sql<Summary>`
        select count(*)::int as remotes,
               count(*) filter (where r.fetch_failures > 0)::int as failing,
               count(*) filter (where r.fetched_at is null)::int as never_fetched,
               min(r.fetched_at) as oldest_fetch_at,
               min(r.fetch_milliseconds)::float8 / 1000 as fastest_seconds,
               percentile_cont(0.5) within group (order by r.fetch_milliseconds) / 1000 as median_seconds,
               percentile_cont(0.95) within group (order by r.fetch_milliseconds) / 1000 as p95_seconds,
               max(r.fetch_milliseconds)::float8 / 1000 as slowest_seconds
          from git_remotes r
          join nodes p on p.id = r.project_id and p.destroyed_at is null
         where not r.archived
        having min(r.created_at) <= sluice_now() - make_interval(secs => ${seconds})`)
      if (!summary) return
      await record(tx, {
        type: 'info:git_remote:periodic_fetch:summary',
        actor: theService,
        message: sentence(summary),
        attributes: { ...summary },
        throttle: { key: 'installation', seconds },
      })
    })
  },
})

const sentence = ({ remotes, failing, median_seconds, slowest_seconds }: Summary): string =>
  [
    `${remotes} Git remotes are fetched periodically, ${failing} of them fail.`,
    ...(median_seconds === null ? [] : [`Half took ${median_seconds} s at most, the slowest ${slowest_seconds} s.`]),
  ].join(' ')
