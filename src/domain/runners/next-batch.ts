import type { Numbered } from '#protocol/runner-protocol.ts'

const mostResults = 100
const mostChunks = 16

/** What stands first in what a runner has sent: so many of one type as are stored together. */
export function nextBatch(queue: readonly Numbered[]): Numbered[] {
  const { type } = queue[0]!
  const most = type === 'log' ? mostChunks : mostResults
  const other = queue.findIndex(message => message.type !== type)
  return queue.slice(0, Math.min(other < 0 ? queue.length : other, most))
}
