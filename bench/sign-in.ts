import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { newInstallation } from './installation.ts'
import { print, spreadOf } from './report.ts'

/**
 * Requests by user name and password against those with a token, in turns; and what somebody with a token notices when
 * twenty people sign in at once, each for the first time. An answer costs a slow hash only then.
 */
const rounds = 600
const warmUp = 100
const bursts = 8
const peopleAtOnce = 20
const agent = new Agent({ keepAlive: true })

const installation = await newInstallation({ actions: "actions: { deploy: { description: Roll out, run: 'true' } }" })
try {
  const { sluice, url, password } = installation
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const byPassword = basic('admin', password)
  const made = await fetch(`${url}/api/tokens`, {
    method: 'POST',
    headers: { authorization: byPassword, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { attributes: { description: 'bench', expires_at: inAnHour } } }),
  })
  const byToken = `Bearer ${((await made.json()) as { meta: { token: string } }).meta.token}`
  const names = Array.from({ length: bursts * peopleAtOnce }, (_, i) => `person-${i}`)
  for (const username of names) await sluice.create('/api/users', { username, password })

  const ask = (authorization: string) => answered(`${url}/api/me`, authorization)
  const [ofTokens, ofPasswords]: [number[], number[]] = [[], []]
  for (let round = 0; round < warmUp + rounds; round++) {
    const [token, basicAuth] = [await ask(byToken), await ask(byPassword)]
    if (round < warmUp) continue
    ofTokens.push(token)
    ofPasswords.push(basicAuth)
  }

  // The same one client before and meanwhile: every other stretch of time is quiet.
  const [quiet, meanwhile, logins]: [number[], number[], number[]] = [[], [], []]
  for (let burst = 0; burst < bursts; burst++) {
    const people = names.slice(burst * peopleAtOnce, (burst + 1) * peopleAtOnce)
    const from = performance.now()
    let under = true
    const signingIn = Promise.all(people.map(name => ask(basic(name, password)))).then(times => {
      logins.push(...times)
      under = false
    })
    while (under) meanwhile.push(await ask(byToken))
    await signingIn
    for (const until = 2 * performance.now() - from; performance.now() < until; ) quiet.push(await ask(byToken))
  }

  const [token, basicAuth, others, before] = [ofTokens, ofPasswords, meanwhile, quiet].map(spreadOf)
  await print({
    bench: 'sign-in',
    figures: {
      'by user name and password, ms': basicAuth!,
      'others while twenty sign in, ms': others!,
      'a first sign-in among twenty, ms': spreadOf(logins),
    },
    floors: { 'with a token, ms': token!, 'others when nobody signs in, ms': before! },
    targets: {
      'by password against by token': { value: basicAuth!.p50 / token!.p50, atMost: 1.1 },
      "others' p99 while twenty sign in against before": { value: others!.p99 / before!.p99, atMost: 2 },
    },
    databaseUrl: installation.ownerUrl,
  })
} finally {
  agent.destroy()
  await installation.remove()
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

async function answered(address: string, authorization: string): Promise<number> {
  const from = performance.now()
  const [answer] = await once(get(address, { agent, headers: { authorization } }), 'response')
  const body = Buffer.concat(await answer.toArray())
  if (answer.statusCode !== 200) throw new Error(`${address} was answered ${answer.statusCode}: ${body}`)
  return performance.now() - from
}
