import { type AnyCommand, command, done, type Target } from '#platform/commands/command.ts'
import { failure } from '#platform/failure.ts'
import { onlySuperusers } from '../users/index.ts'
import { DirectoryError } from './connection.ts'
import { noDirectory, type Refreshing, refreshJob } from './directory.jobs.ts'

interface Found extends Target {
  /** Reason why a refresh is impossible. */
  fault: string | undefined
}

export const refreshCommand = ({ connection }: Refreshing): AnyCommand =>
  command<never, Found>({
    name: 'ldap_refresh.create',
    summary: 'Refreshes all users and groups from the directory; the event api:ldap_refresh:… reports the outcome.',
    method: 'POST',
    paths: ['/api/ldap_refresh'],
    status: 204,
    // The refresh records its own event, with the user who requested it.
    event: null,
    eventBody: [],
    find: async ({ tx }) => {
      try {
        return { fault: (await connection(tx)) ? undefined : noDirectory }
      } catch (error) {
        if (error instanceof DirectoryError) return { fault: error.message }
        throw error
      }
    },
    needs: (_found, _request, actor) => onlySuperusers(actor),
    refuse: ({ fault }) => (fault === undefined ? undefined : failure('not-supported-here', fault)),
    run: async ({ enqueue, actor }) => {
      const by = { userId: actor.userId, username: actor.username }
      // Per user: a job that replaced another user's would leave that user without an end event.
      await enqueue(refreshJob, { by }, { key: `${refreshJob}:${actor.userId}` })
      return done({ event: {} })
    },
  })
