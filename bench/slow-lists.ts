import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'

/**
 * Load of a user with many connections, each of which requests a slow list again and again; runs in a separate thread.
 */
if (!isMainThread) {
  const { url, authorization, connections } = workerData as { url: string; authorization: string; connections: number }
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const loop = async () => {
    for (;;) {
      const [answer] = await once(get(url, { agent, headers: { authorization } }), 'response')
      answer.resume()
      await once(answer, 'end')
      parentPort!.postMessage(answer.statusCode)
    }
  }
  for (let at = 0; at < connections; at += 1) void loop()
}

/**
 * A million lines of a hundred characters in the log of a change, which a filter reads for longer than a list may take.
 */
export async function fillLog(ownerUrl: string, changeId: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(
    `insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
     select s.id, 1, 10000 + 1000 * n, 1000, s.activity_id, now(), now(), array_fill(now(), array[1000]),
            array_fill('stdout'::text, array[1000]), array_fill(repeat('one word and another; ', 5), array[1000])
       from (select * from steps where activity_id = $1 limit 1) s, generate_series(1, 1000) n`,
    [changeId],
  )
  await client.query('analyze log_chunks')
  await client.end()
}
