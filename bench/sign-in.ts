import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { newInstallation } from './installation.ts'
import { QuietClient } from './quiet-client.ts'
import { print, spreadOf } from './report.ts'

/**
 * Requests by user name and password compared with those with a token, alternating; and the effect on a user with a
 * token when twenty people sign in at the same time, each for the first time. A response needs a slow hash only then.
 */
const rounds = 600
const warmUp = 100
/** Warm-up, as in the first minutes of a day: the first requests compile the code and open connections. */
const warmUpBursts = 2
const bursts = 4
const peopleAtOnce = 20

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
  const names = Array.from({ length: (warmUpBursts + bursts) * peopleAtOnce }, (_, i) => `person-${i}`)
  for (const username of names) await sluice.create('/api/users', { username, password })

  const client = new QuietClient(url)
  const ask = (authorization: string) => client.get('/api/me', authorization)
  const [ofTokens, ofPasswords]: [number[], number[]] = [[], []]
  for (let round = 0; round < warmUp + rounds; round++) {
    const [token, basicAuth] = [await ask(byToken), await ask(byPassword)]
    if (round < warmUp) continue
    ofTokens.push(token)
    ofPasswords.push(basicAuth)
  }

  const people = new Worker(new URL('./signing-in.ts', import.meta.url), { workerData: { address: `${url}/api/me` } })
  // The same client before and meanwhile: every second period is quiet.
  const [quiet, meanwhile, logins]: [number[], number[], number[]] = [[], [], []]
  for (let burst = 0; burst < warmUpBursts + bursts; burst++) {
    if (burst === warmUpBursts) for (const each of [quiet, meanwhile, logins]) each.length = 0
    const theirs = names.slice(burst * peopleAtOnce, (burst + 1) * peopleAtOnce)
    const from = performance.now()
    let under = true
    people.postMessage(theirs.map(name => basic(name, password)))
    const signingIn = once(people, 'message').then(([times]) => {
      logins.push(...times)
      under = false
    })
    while (under) meanwhile.push(await ask(byToken))
    await signingIn
    for (const until = 2 * performance.now() - from; performance.now() < until; ) quiet.push(await ask(byToken))
  }

  await Promise.all([client.close(), people.terminate()])
  const [token, basicAuth, others, before] = [ofTokens, ofPasswords, meanwhile, quiet].map(spreadOf)
  await print({
    bench: 'sign-in',
    figures: {
      'by user name and password, ms': basicAuth!,
      'others while twenty sign in, ms': others!,
      'a first sign-in among twenty, ms': spreadOf(logins),
    },
    floors: { 'with a token, ms': token!, 'others without sign-ins, ms': before! },
    targets: {
      'by password against by token': { value: basicAuth!.p50 / token!.p50, atMost: 1.1 },
      "others' p99 while twenty sign in against before": { value: others!.p99 / before!.p99, atMost: 2 },
    },
    databaseUrl: installation.ownerUrl,
  })
} finally {
  await installation.remove()
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
