import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashingTask } from './hashing.adapter.ts'

/** argon2id with the parameters that OWASP recommends (19 MiB, two passes, one lane): about 20 ms of one core. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

parentPort!.on('message', ({ id, known, password }: HashingTask) => {
  try {
    const result = known === undefined ? hashSync(password, cost) : verifySync(known, password)
    parentPort!.postMessage({ id, result })
  } catch (error) {
    parentPort!.postMessage({ id, error: String(error) })
  }
})
