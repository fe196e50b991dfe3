/**
 * Rows of the tables that the service does not answer as specified yet, by the name of their table. A ratchet: nothing is
 * added here, whoever mends a row strikes it out, and when the last one is gone this file goes too.
 */
export const openRows: Readonly<Record<string, readonly string[]>> = {
  endpoints: [],
  events: ['warn:model:actions_unavailable', 'warn:git_remote:mountable_fetch_failed'],
}
