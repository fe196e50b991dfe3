import { theService } from '#platform/actor.ts'
import type { Job } from '#platform/domain.ts'
import type { SettingsReader } from '../settings/index.ts'
import { type FetchSummary, fetchSummary } from './git-remote.store.ts'

/**
 * Job that summarizes the fetches of all remotes, once in each interval of the settings; the first time when the oldest
 * remote has existed for one.
 */
export const summariseFetches = ({ settings }: { readonly settings: SettingsReader }): Job => ({
  name: 'git.summarise_fetches',
  cron: '* * * * *',
  run: async (_: unknown, { database, record }) => {
    const { data } = await settings.global(database)
    if (data['git_remote.periodic_fetch_summary.enabled'] === false) return
    const seconds = Number(data['git_remote.periodic_fetch_summary.interval'])
    await database.transaction(async tx => {
      const summary = await fetchSummary(tx, seconds)
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

const sentence = ({ remotes, failing, median_seconds, slowest_seconds }: FetchSummary): string =>
  [
    `${remotes} Git remotes are fetched periodically, ${failing} of them fail.`,
    ...(median_seconds === null ? [] : [`Half took ${median_seconds} s at most, the slowest ${slowest_seconds} s.`]),
  ].join(' ')
