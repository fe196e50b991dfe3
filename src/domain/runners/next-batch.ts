import type { Numbered } from '#protocol/runner-protocol.ts'

const mostResults = 100
const mostChunks = 16

/** First messages of a runner's queue that can be stored together: of one type, and limited in number. */
export function nextBatch(queue: readonly Numbered[]): Numbered[] {
  const { type } = queue[0]!
  const most = type === 'log' ? mostChunks : mostResults
  const other = queue.findIndex(message => message.type !== type)
  return queue.slice(0, Math.min(other < 0 ? queue.length : other, most))
}
