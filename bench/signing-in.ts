import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * People who sign in at the same time, apart from the measured one: it receives their headers and returns their times.
 */
const { address } = workerData as { address: string }
const agent = new Agent({ keepAlive: true })

parentPort!.on('message', async (authorizations: readonly string[]) => {
  parentPort!.postMessage(await Promise.all(authorizations.map(answered)))
})

async function answered(authorization: string): Promise<number> {
  const from = performance.now()
  const [answer] = await once(get(address, { agent, headers: { authorization } }), 'response')
  const body = Buffer.concat(await answer.toArray())
  if (answer.statusCode !== 200) throw new Error(`${address} was answered ${answer.statusCode}: ${body}`)
  return performance.now() - from
}
