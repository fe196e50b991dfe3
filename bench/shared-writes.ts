import { type Sluice, until } from '../client/sluice.ts'
import { bareCommits } from './floors.ts'
import { newInstallation, withClient } from './installation.ts'
import { print, round, type Spread, spreadOf } from './report.ts'
import { superusers } from './superusers.ts'

/**
 * Throughput of eight clients whose writes lock the same rows, compared with writes that do not: assets of one template
 * version with assets of a version per client, and policies with policies while the trigger that changes the rights
 * epoch does nothing. The two shapes alternate in short rounds, so that load on the machine affects both. Each client
 * is a different user, so that no limit per user applies. Commits are slowed down: a lock that is held until the commit
 * then costs more than the processor time of a write, also on a busy machine.
 */
const clients = 8
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 10)
const secondsPerRound = 4
const commitMilliseconds = 100

const installation = await newInstallation({ actions: "actions: { deploy: { run: 'true' } }" })
try {
  const { ownerUrl } = installation
  const users = await superusers(installation, clients)
  await installation.sluice.create('/api/users', { username: 'reader', password: installation.password })
  await versionPerClient(installation.sluice)

  const commits = spreadOf(await withClient(await installation.beside('floor'), client => bareCommits(client, 500)))
  await installation.slowCommits(commitMilliseconds)

  let created = 0
  const createAsset = (version: (client: number) => string) => (client: number) => {
    const code = `made-${created++}`
    const attributes = { code, name: code, template_code: 'bench', template_version: version(client) }
    return users[client]!.create('/api/projects/bench/environments/bench/assets', attributes)
  }
  const createPolicy = (client: number) => {
    const name = `policy ${created++}`
    const attributes = {
      name,
      authorisation_rules: [{ path: `/projects/bench/environments/${client}`, read: true }],
      assignments: [{ username: 'reader' }],
    }
    return users[client]!.create('/api/authorisation_policies', attributes)
  }

  const assets = await alternate({ run: createAsset(() => '1.0') }, { run: createAsset(client => `${client + 2}.0`) })
  const trigger = await epochTrigger(ownerUrl)
  const policies = await alternate(
    { run: createPolicy, before: () => replaceFunction(ownerUrl, trigger) },
    {
      run: createPolicy,
      before: () => replaceFunction(ownerUrl, trigger.replace(/begin[\s\S]*end/, 'begin return null; end')),
    },
  )

  await print({
    bench: 'shared-writes',
    figures: {
      'assets a second, of one version': spreadOf(assets.shared),
      'policies a second': spreadOf(policies.shared),
      'assets of one version against a version each, by round': assets.ratios,
      'policies with the rights epoch against without, by round': policies.ratios,
    },
    floors: {
      'assets a second, a version each': spreadOf(assets.apart),
      'policies a second, with a trigger that does nothing': spreadOf(policies.apart),
      'bare durable commits a second before the slowdown, one after the other': round(1_000 / commits.p50),
      'added to each commit, ms': commitMilliseconds,
    },
    targets: {
      'assets of one version against a version each': { value: assets.ratio, atLeast: 0.8 },
      'policies against a trigger that does nothing': { value: policies.ratio, atLeast: 0.8 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

interface Shape {
  readonly run: (client: number) => Promise<unknown>
  readonly before?: () => Promise<void>
}

interface Compared {
  /** Writes a second in each round. */
  readonly shared: number[]
  readonly apart: number[]
  readonly ratios: Spread
  /** Ratio of all writes of one shape to all writes of the other. */
  readonly ratio: number
}

/** Runs both shapes in each round, in alternating order; the first round is the warm-up. */
async function alternate(shared: Shape, apart: Shape): Promise<Compared> {
  const rates = new Map<Shape, number[]>([
    [shared, []],
    [apart, []],
  ])
  for (let at = 0; at <= rounds; at++)
    for (const shape of at % 2 === 0 ? [shared, apart] : [apart, shared]) {
      await shape.before?.()
      const rate = await writesPerSecond(shape.run)
      if (at > 0) rates.get(shape)!.push(rate)
    }
  const [of, beside] = [rates.get(shared)!, rates.get(apart)!]
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    shared: of,
    apart: beside,
    ratios: spreadOf(of.map((rate, at) => rate / beside[at]!)),
    ratio: sum(of) / sum(beside),
  }
}

async function writesPerSecond(run: (client: number) => Promise<unknown>): Promise<number> {
  const from = performance.now()
  const until = from + secondsPerRound * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (; performance.now() < until; done++) await run(client)
    }),
  )
  return (done * 1_000) / (performance.now() - from)
}

/** Versions 2.0 to 9.0 of the only template. */
async function versionPerClient(sluice: Sluice): Promise<void> {
  for (let client = 0; client < clients; client++) {
    const version = `/api/projects/bench/templates/bench/versions/${client + 2}.0`
    await sluice.put(version, { git_rev: 'main' })
    await until(
      'the template version is fetched',
      () => sluice.show<{ state: string }>(version),
      ({ attributes }) => attributes.state === 'ready',
    )
  }
}

function epochTrigger(ownerUrl: string): Promise<string> {
  return withClient(ownerUrl, async client => {
    const { rows } = await client.query(`select pg_get_functiondef('sluice_move_rights_epoch'::regproc) as text`)
    return rows[0].text
  })
}

/** Replaces a function, in this bench's database only. */
function replaceFunction(ownerUrl: string, text: string): Promise<void> {
  return withClient(ownerUrl, async client => void (await client.query(text)))
}
