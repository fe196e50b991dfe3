import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Refused } from '../supervisor/setup-error.ts'

/** Milliseconds without data after which the request is repeated. */
const silenceMilliseconds = 60_000

/**
 * Downloads the commit's tree from the service into `to`. (By `node:http` and not by `fetch`, which takes longer to
 * load than all of this, while a user waits for the first step.)
 *
 * @throws Refused when a retry is useless
 */
export async function downloadTree(from: { url: URL; secret: string }, to: Writable): Promise<void> {
  await pipeline(await openTree(from), to)
}

/** Opens the archive of the tree for reading. @throws like the download */
export async function openTree(from: { url: URL; secret: string }): Promise<Readable> {
  const answer = await asked(from)
  if (answer.statusCode !== 200) {
    const why = `the service answered ${answer.statusCode} ${(await text(answer)).slice(0, 500)}`
    throw (answer.statusCode ?? 500) < 500 ? new Refused(why) : new Error(why)
  }
  return answer
}

function asked({ url, secret }: { url: URL; secret: string }): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? getSecure : getPlain
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${secret}` }, timeout: silenceMilliseconds }, resolve)
    request.once('error', reject)
    request.once('timeout', () => request.destroy(new Error('the service says nothing')))
  })
}
