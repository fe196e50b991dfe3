import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { passwords } from '../../src/domain/users/index.ts'
import { openKeyring, rootKey } from '../../src/platform/crypto/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { adminPassword, projectFolder, startDatabase, startInstallation } from '../installation.ts'
import { sealFirstVersions } from './documents.ts'
import { addPeople } from './people.ts'
import { growSkew, type Skew } from './skew.ts'
import { assetsOfProject, growTree } from './tree.ts'
import { withoutIndexes } from './without-indexes.ts'

/** Edition of the seeded rows: incremented whenever they change, so that older ones are made again. */
const edition = 5

export interface Seeded {
  readonly edition: number
  readonly assets: number
  readonly projects: number
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Duration of seeding, from the first row to the last index and the new statistics. */
  readonly seconds: number
  /** The parents of thousands of records. */
  readonly skew: Skew
}

const filled = [
  ...['nodes', 'git_remotes', 'git_commits', 'templates', 'action_catalogues', 'template_versions'],
  ...['template_version_commits', 'template_version_histories', 'settings', 'properties'],
  ...['settings_versions', 'properties_versions'],
]

const folderOf = (assets: number) => join(projectFolder, `.local/seeded-${assets}`)

/** Creates the installation with `assets` assets, unless one exists from an earlier run. */
export async function seeded(assets: number): Promise<{ seeded: Seeded; fresh: boolean; folder: string }> {
  const folder = folderOf(assets)
  const note = join(folder, 'seeded.json')
  if (existsSync(note)) {
    const seeded = JSON.parse(readFileSync(note, 'utf8')) as Seeded
    if (seeded.edition === edition) return { seeded, fresh: false, folder }
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  // The service creates the initial data of an installation: the schema, its first superuser, its settings, its keys.
  await (await startInstallation(folder, {})).stop()
  const seeded = await seed(folder, assets)
  writeFileSync(note, JSON.stringify(seeded))
  return { seeded, fresh: true, folder }
}

async function seed(folder: string, assets: number): Promise<Seeded> {
  const projects = assets / assetsOfProject
  const { repository, commit } = repositoryIn(folder)
  const { database, stop } = await startDatabase(folder)
  const pool = openDatabase({ url: database.ownerUrl, name: 'seed', size: 1 })
  const [client, other] = [new pg.Client(database.ownerUrl), new pg.Client(database.ownerUrl)]
  try {
    await Promise.all([client.connect(), other.connect()])
    // There are no indexes yet, which nested loops would need.
    for (const each of [client, other])
      await each.query(`set synchronous_commit = off; set work_mem = '256MB'; set enable_nestloop = off`)
    const key = await rootKey({ given: undefined, file: join(folder, 'data/root.key'), database: pool })
    const keyring = await openKeyring({ database: pool, rootKey: key })
    const passwordHash = await passwords().hash(adminPassword)
    const from = performance.now()
    const people = await addPeople(client, { projects, passwordHash })
    const rows = await withoutIndexes(database.ownerUrl, filled, async () => {
      const grown = await growTree(client, { assets, commit, repository })
      for (const name of ['settings', 'properties'] as const)
        grown.set(`${name}_versions`, await sealFirstVersions(name, { from: other, to: client, keyring }))
      return grown
    })
    const skew = await skewed(database)
    // For index-only scans, and plans for the actual content.
    await client.query('vacuum analyze')
    const seconds = (performance.now() - from) / 1_000
    return { edition, assets, projects, rows: { people, ...Object.fromEntries(rows) }, seconds, skew }
  } finally {
    await Promise.all([client.end(), other.end(), pool.end()])
    await stop()
  }
}

/** Activities whose statistics mislead once they are gathered. The assets of the tree do not change. */
async function skewed({ superuserUrl, ownerUrl }: { superuserUrl: string; ownerUrl: string }): Promise<Skew> {
  const url = new URL(superuserUrl)
  url.pathname = new URL(ownerUrl).pathname
  const client = new pg.Client(url.href)
  await client.connect()
  try {
    return await growSkew(client, {
      children: 6_000,
      targets: 2_000,
      assetsOfOne: 0,
      smallChanges: 1_500,
      logLines: 100_000,
    })
  } finally {
    await client.end()
  }
}

/** The repository of every project's remote, with a folder of actions for the templates. */
function repositoryIn(folder: string): { repository: string; commit: string } {
  const path = join(folder, 'repository')
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'actions.yaml'), "actions: { deploy: { description: To deploy it, run: 'true' } }\n")
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@sluice.example', 'commit', '--quiet', '--message=Actions')
  return { repository: pathToFileURL(path).href, commit: git('rev-parse', 'HEAD').trim() }
}
