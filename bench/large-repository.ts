import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Change, isFinal, until } from '../client/sluice.ts'
import { asset, newInstallation, success } from './installation.ts'
import { print, round, spreadOf, timed } from './report.ts'

/**
 * A change of one step that does nothing, in a repository of many files: the first of a commit, whose tree is then
 * stored on this host, and the following ones, which start from that. They alternate with `cp -a` of the same tree;
 * each begins only once the previous copy has been removed and everything is on the disk, because both would compete
 * with it. A change is timed from its POST to its success: everything besides the copy counts. The ratio is the median
 * of the ratios of all rounds, each with about the same load for both.
 */
const files = Number(process.env['SLUICE_BENCH_FILES'] ?? 50_000)
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 10)

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
  const runners = join(folder, 'data/runners')
  const copiesOfRunners = () => readdirSync(runners).filter(name => existsSync(join(runners, name, 'work/copy')))
  const settled = async () => {
    await until(
      'the working copy of the runner is removed',
      async () => copiesOfRunners(),
      ({ length }) => length === 0,
      { pause: 100, seconds: 600 },
    )
    await run('sync', ['-f', folder])
  }
  const peaks = new Map<string, number>()
  const looking = setInterval(() => lookAtMemory(peaks), 100)
  const change = () =>
    timed(async () => {
      const { id } = await sluice.create(`${asset}/changes`, { action: 'nothing' })
      await until(
        `change ${id} ends`,
        () => sluice.show<Change>(`/api/changes/${id}?fields[change]=status_code`),
        ({ attributes }) => isFinal(attributes.status_code),
        { pause: 100, seconds: 600 },
      )
      await success(sluice, id)
    })
  const copy = async () => {
    // This process must not block: the service would close its connection.
    const took = await timed(() => run('cp', ['-a', bare, `${bare}-copy`]))
    await run('rm', ['-r', `${bare}-copy`])
    return took
  }
  const residents = [residentOf(servicePid)]
  await settled()
  const first = await change()
  const [next, copies]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < rounds; turn++) {
    residents.push(residentOf(servicePid))
    await settled()
    copies.push(await copy())
    await settled()
    next.push(await change())
  }
  await settled()
  residents.push(residentOf(servicePid))
  clearInterval(looking)
  const megabytes = (name: string) => round((peaks.get(name) ?? 0) / 1_024)
  const resident = (at: number) => round(residents.at(at)! / 1_024)
  await print({
    bench: 'large-repository',
    figures: {
      files,
      'the first change of the commit, ms': round(first),
      'the next changes of it, ms': spreadOf(next),
      'supervisor of a runner at its peak, MiB': megabytes('supervisor'),
      'executor of a runner at its peak, MiB': megabytes('executor'),
      'service before the first change, resident MiB': resident(0),
      'service after the first change, resident MiB': resident(1),
      'service after the last change, resident MiB': resident(-1),
      'service at its peak, MiB': round(peakOf(servicePid) / 1_024),
    },
    floors: { 'cp -a of the tree, ms': spreadOf(copies) },
    targets: {
      'next change against a bare copy, median of the turns': {
        value: spreadOf(next.map((took, turn) => took / copies[turn]!)).p50,
        atMost: 1.3,
      },
      'a process of the runner at its peak, MiB': {
        value: Math.max(megabytes('supervisor'), megabytes('executor')),
        atMost: 250,
      },
      'growth of the service from the first change to the last, MiB': {
        value: round((residents.at(-1)! - residents[1]!) / 1_024),
        atMost: 50,
      },
    },
    databaseUrl: installation.ownerUrl,
  })
} finally {
  await installation.remove()
}

/** Records the maximum memory of a runner's processes, by the program that they run. */
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

/** The maximum memory that a process has had, in KiB. */
function peakOf(pid: number): number {
  return statusOf(pid, 'VmHWM')
}

/** The current memory of a process, in KiB. */
function residentOf(pid: number): number {
  return statusOf(pid, 'VmRSS')
}

function statusOf(pid: number, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}
