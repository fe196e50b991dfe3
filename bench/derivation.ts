import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../client/sluice.ts'
import { asset, newInstallation, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * Measures the cost of a program that declares 10,000 actions: in the runner, from the task's start to its end, for one
 * commit after another; and the time until a request for the asset's actions returns them.
 */
const actions = Number(process.env['SLUICE_BENCH_ACTIONS'] ?? 10_000)
const commits = 6
const reads = 30
const version = '/api/projects/bench/templates/bench/versions/1.0'

/** Actions of a hundred stages that refer to one another, as generated from a list of hosts. */
const program = (turn: number) => `
import { action } from '@sluice/actions'
// ${turn}
for (let i = 0; i < ${actions}; i++)
  action(\`deploy-\${i}\`, { description: \`To deploy host \${i}\`, steps: i % 100 === 0 ? [\`deploy-\${i + 1}\`] : [] }, () => {})
`

const installation = await newInstallation({ program: program(0) })
try {
  const { sluice, folder, ownerUrl } = installation
  const repository = join(folder, 'repository')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' })
  const head = () => execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' }).trim()
  for (let turn = 1; turn <= commits; turn++) {
    writeFileSync(join(repository, 'bench/actions.ts'), program(turn))
    git(
      '-c',
      'user.name=Bench',
      '-c',
      'user.email=bench@sluice.example',
      'commit',
      '--quiet',
      '--all',
      '--message=More',
    )
    await sluice.put(version, { git_rev: 'main' }, { meta: { fetch_revision: true, ignore_in_use: true } })
    const { attributes } = await until(
      'the commit is there',
      () => sluice.show<{ state: string; commit_sha: string; initialization_error: string | null }>(version),
      ({ attributes: { state, commit_sha } }) => (state === 'ready' && commit_sha === head()) || state === 'broken',
      { pause: 50 },
    )
    if (attributes.initialization_error) throw new Error(attributes.initialization_error)
  }
  const inRunner = await withClient(ownerUrl, async client => {
    const { rows } = await client.query(`
      select status_code, extract(epoch from finished_at - started_at)::float8 * 1000 as took
        from node_background_tasks where finished_at is not null order by request_number`)
    const failed = rows.filter(row => row.status_code !== 'success')
    if (failed.length > 0) throw new Error(`${failed.length} derivations failed`)
    return rows.map(row => Number(row.took))
  })
  const read: number[] = []
  let found = 0
  for (let turn = 0; turn < reads; turn++) {
    read.push(
      await timed(async () => {
        const { attributes } = await sluice.show<{ actions: unknown[] }>(asset)
        found = attributes.actions.length
      }),
    )
  }
  if (found !== actions) throw new Error(`${found} actions are shown of ${actions}`)
  const bare = Array.from({ length: 5 }, bareProcess)
  const [derived, shown] = [spreadOf(inRunner), spreadOf(read.slice(5))]
  await print({
    bench: 'derivation',
    figures: { 'derivations in the runner, ms': derived, 'the asset with its actions, ms': shown, actions },
    floors: { 'a bare process that makes the same and writes it, ms': spreadOf(bare) },
    targets: {
      'derivation in the runner, ms': { value: derived.p50, atMost: 1_000 },
      'the asset with its actions, ms': { value: shown.p99, atMost: 300 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

function bareProcess(): number {
  const made = `process.stdout.write(JSON.stringify(Array.from({ length: ${actions} }, (_, i) => ({ action: 'deploy-' + i, description: 'To deploy host ' + i, steps: [] }))))`
  const from = performance.now()
  execFileSync(process.execPath, ['--eval', made], { maxBuffer: 64 * 1024 * 1024 })
  return performance.now() - from
}
