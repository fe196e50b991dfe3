import { parentPort } from 'node:worker_threads'
import type { AnswerOrder } from './answer-writer.adapter.ts'
import { written } from './written-answer.ts'

/** Writes responses one after the other, outside of the main thread. */
parentPort!.on('message', ({ number, pieces, layers }: AnswerOrder) => {
  const bytes = written({ pieces, layers })
  parentPort!.postMessage({ number, bytes }, [bytes.buffer])
})
