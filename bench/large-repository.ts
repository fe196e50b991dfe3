import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { asset, newInstallation, success } from './installation.ts'
import { print, round, spreadOf, timed } from './report.ts'

/**
 * A change of one step that does nothing, in a repository of many files: the first of a commit, for which the tree is
 * unpacked on this host, and the next, which start from a copy of it. Each time beside `cp -a` of the same tree, in turns
 * with it. A change is timed from its POST to its success: all that comes besides the copy counts.
 */
const files = Number(process.env['SLUICE_BENCH_FILES'] ?? 50_000)
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 5)

const run = promisify(execFile)
const tree: Record<string, string> = {}
for (let at = 0; at < files; at++)
  tree[`part${Math.floor(at / 5_000)}/of${Math.floor(at / 100)}/file${at}.txt`] = `${at} `.repeat(60)

const installation = await newInstallation({ actions: 'actions:\n  nothing: { run: "true" }\n', files: tree })
try {
  const { sluice, folder, servicePid } = installation
  const bare = join(folder, 'bare/tree')
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(bare, path)), { recursive: true })
    writeFileSync(join(bare, path), text)
  }
  const peaks = new Map<string, number>()
  const looking = setInterval(() => lookAtMemory(peaks), 100)
  const change = () =>
    timed(async () => success(sluice, (await sluice.create(`${asset}/changes`, { action: 'nothing' })).id))
  const copy = async () => {
    // Not while this process stands still: the service would close its connection.
    const took = await timed(() => run('cp', ['-a', bare, `${bare}-copy`]))
    await run('rm', ['-r', `${bare}-copy`])
    return took
  }
  const first = await change()
  const [next, copies]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < rounds; turn++) {
    copies.push(await copy())
    next.push(await change())
  }
  clearInterval(looking)
  const [later, floor] = [spreadOf(next), spreadOf(copies)]
  const megabytes = (name: string) => round((peaks.get(name) ?? 0) / 1_024)
  await print({
    bench: 'large-repository',
    figures: {
      files,
      'the first change of the commit, ms': round(first),
      'the next changes of it, ms': later,
      'supervisor of a runner at its peak, MiB': megabytes('supervisor'),
      'executor of a runner at its peak, MiB': megabytes('executor'),
      'service at its peak, MiB': round(peakOf(servicePid) / 1_024),
    },
    floors: { 'cp -a of the tree, ms': floor },
    targets: {
      'next change against a bare copy': { value: round(later.p50 / floor.p50), atMost: 1.3 },
      'a process of the runner at its peak, MiB': {
        value: Math.max(megabytes('supervisor'), megabytes('executor')),
        atMost: 250,
      },
    },
    databaseUrl: installation.ownerUrl,
  })
} finally {
  await installation.remove()
}

/** Notes the most memory that a runner's processes have had, by the program that they run. */
function lookAtMemory(into: Map<string, number>): void {
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const [, name] = /(supervisor|executor)\.js/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? []
      if (name !== undefined) into.set(name, Math.max(into.get(name) ?? 0, peakOf(Number(pid))))
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** KiB */
function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}
