import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { newInstallation, startHelperProgram, withClient } from './installation.ts'
import { print, spreadOf } from './report.ts'

/**
 * A list of 100 assets and the page of one, over HTTP with one client, alternating with the same responses written by
 * hand (`lists-by-hand.ts`): byte for byte the same, from the same database, with the same authentication.
 */
const assets = '/api/projects/bench/environments/bench/assets'
const asked = { list: `${assets}?limit=100`, show: `${assets}/asset-50` } as const
const rounds = 400
/** Number of unmeasured first rounds, in which everything is compiled and planned. */
const warmUp = 50
const agent = new Agent({ keepAlive: true })

const installation = await newInstallation({
  actions: "actions: { deploy: { description: Roll out, run: 'true', steps: [stop] }, stop: { run: 'true' } }",
})
try {
  const { sluice, ownerUrl } = installation
  for (let made = 1; made < 100; made++) {
    const code = `asset-${made}`
    await sluice.create(assets, { code, name: code, template_code: 'bench', template_version: '1.0' })
  }
  // As autovacuum does within a minute: the first plans were made for empty tables.
  await withClient(ownerUrl, client => client.query('analyze'))
  const byHand = await startHelperProgram('lists-by-hand.ts', installation)
  const authorization = `Basic ${Buffer.from(`admin:${installation.password}`).toString('base64')}`
  const compare = (path: string) => inTurns({ authorization, path, urls: [sluice.url, byHand.addresses[0]!] })
  try {
    const [list, show] = [await compare(asked.list), await compare(asked.show)]
    await print({
      bench: 'lists',
      figures: { 'list of 100 assets, ms': list.ours, 'show of one, ms': show.ours },
      floors: {
        'the same list by hand, ms': list.byHand,
        'the same page by hand, ms': show.byHand,
        'bytes of the list': list.bytes,
        'bytes of the page': show.bytes,
      },
      targets: {
        'list against the same by hand': { value: list.ours.p50 / list.byHand.p50, atMost: 1.5 },
        'show against the same by hand': { value: show.ours.p50 / show.byHand.p50, atMost: 1.5 },
        'list, ms': { value: list.ours.p50, atMost: 6 },
        'show, ms': { value: show.ours.p50, atMost: 6 },
      },
      databaseUrl: ownerUrl,
    })
  } finally {
    agent.destroy()
    await byHand.stop()
  }
} finally {
  await installation.remove()
}

interface Asked {
  readonly authorization: string
  readonly path: string
  /** URLs of the list in Sluice and in the server written by hand. */
  readonly urls: readonly [string, string]
}

async function inTurns({ authorization, path, urls: [sluiceUrl, byHandUrl] }: Asked) {
  const ours: number[] = []
  const byHand: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const one = await answered(sluiceUrl + path, authorization)
    const other = await answered(byHandUrl + path, authorization)
    if (!one.body.equals(other.body)) throw new Error(`what is answered to ${path} by hand is not the same`)
    bytes = one.body.length
    if (round < warmUp) continue
    ours.push(one.milliseconds)
    byHand.push(other.milliseconds)
  }
  return { ours: spreadOf(ours), byHand: spreadOf(byHand), bytes }
}

/**
 * Sends a request and measures its response. The client is lean: the cost of a heavier one, added to both sides, would
 * hide the difference.
 */
async function answered(url: string, authorization: string): Promise<{ milliseconds: number; body: Buffer }> {
  const from = performance.now()
  const request = get(url, { agent, headers: { accept: 'application/vnd.api+json', authorization } })
  const [answer] = await once(request, 'response')
  const body = Buffer.concat(await answer.toArray())
  if (answer.statusCode !== 200) throw new Error(`${url} was answered ${answer.statusCode}: ${body}`)
  return { milliseconds: performance.now() - from, body }
}
