import { Refused } from '#client/sluice.ts'
import { sluice } from '../../api/client.ts'
import type { Resource, Session } from '../../api/records.ts'
import { account as texts } from '../../messages/account.ts'
import { browserName } from './browser-name.ts'

/** Whether it is the session of this page. */
export const isCurrent = ({ meta }: Resource<Session>): boolean => meta?.['current'] === true

/** Browser and system of a session. */
export const nameOf = ({ attributes: { user_agent: agent } }: Resource<Session>): string =>
  agent === null ? texts.unknownBrowser : browserName(agent)

/** Ends a session, which may have ended since it was listed. */
export async function endSession({ id }: Resource<Session>): Promise<void> {
  try {
    await sluice().remove(`/api/tokens/sessions/${id}`)
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error
  }
}

/** Ends all sessions of the user except the one of this page, also those that began since they were listed. */
export async function endOtherSessions(): Promise<void> {
  for await (const { data } of sluice().pages('/api/tokens/sessions', { 'filter[mine]': true }))
    for (const session of data as Resource<Session>[]) if (!isCurrent(session)) await endSession(session)
}
