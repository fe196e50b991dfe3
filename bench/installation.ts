import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { type Change, connect, isFinal, noRetries, type Sluice, until } from '../client/sluice.ts'
import { prepareDataFolder } from '../src/platform/db/embedded/data-folder.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/platform/db/embedded/embedded-postgres.adapter.ts'
import { ensureSystemUsers } from '../src/platform/db/embedded/system-users.ts'

export const projectFolder = join(import.meta.dirname, '..')

/** A complete installation for one measurement: the embedded PostgreSQL as the product sets it up, and the service. */
export interface Installation {
  readonly folder: string
  /** A client of the first superuser. */
  readonly sluice: Sluice
  readonly url: string
  readonly password: string
  readonly servicePid: number
  /** The service's own database, as the role that owns it: for reading stored data, and for floors. */
  readonly ownerUrl: string
  /** URL of the database for the service's own role. */
  readonly appUrl: string
  /** An empty database on the same server, for comparisons. */
  beside(name: string): Promise<string>
  /** Delays each later commit of the server by this time, like a slower disk. */
  slowCommits(milliseconds: number): Promise<void>
  /** Ends the service's connections to its database; it reopens those that it needs. */
  endConnections(): Promise<void>
  /** Starts another service process on the same database, with a data folder of its own; returns its URL. */
  another(): Promise<string>
  remove(): Promise<void>
}

/**
 * Content of a repository of actions: the text of `actions.yaml`, and of `actions.ts`, of its only template, `bench`.
 */
export interface InstallationOptions {
  readonly actions?: string
  readonly program?: string
  /** Other files of the repository, by path. */
  readonly files?: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, string>>
  /** A file that the service's Node loads first: it records data that cannot be observed from outside. */
  readonly observer?: { readonly file: string; readonly notes: string }
}

export const adminPassword = 'a bench wants a password'

/**
 * Creates an installation in a folder of its own, with an asset `/api/projects/bench/environments/bench/assets/bench`
 * with the given actions. SLUICE_BENCH_NODE_OPTIONS are passed to the service's Node: `--cpu-prof
 * --cpu-prof-dir=/tmp/prof`.
 */
export async function newInstallation(wish: InstallationOptions): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  chmodSync(folder, 0o777)
  const { stop, ...installation } = await startInstallation(folder, wish)
  const remove = async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await loadAsset(installation.sluice, folder, wish)
    return { ...installation, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Starts the installation in the folder, or creates one there; stopping it leaves the folder as it is. */
export async function startInstallation(
  folder: string,
  wish: Pick<InstallationOptions, 'settings' | 'observer'>,
): Promise<Omit<Installation, 'remove'> & { stop(): Promise<void> }> {
  const { database, stop: stopDatabase } = await startDatabase(folder)
  const services: ChildProcess[] = []
  const serve = async (dataFolder: string, rootKey?: string) => {
    const port = await freePort()
    const { child, output } = startService(folder, { dataFolder, port, database, wish, rootKey })
    services.push(child)
    await until(
      'the service is ready',
      async () => ({ ready: output().includes('ready on'), ended: child.exitCode !== null }),
      ({ ready, ended }) => ready || ended,
      { seconds: 300 },
    )
    if (child.exitCode !== null) throw new Error(`the service did not start:\n${output()}`)
    return `http://127.0.0.1:${port}`
  }
  const stop = async () => {
    await Promise.all(services.map(end))
    await stopDatabase()
  }
  try {
    const url = await serve('data')
    return {
      folder,
      sluice: connect(url, { user: 'admin', password: adminPassword }, noRetries),
      url,
      password: adminPassword,
      servicePid: services[0]!.pid!,
      another: () => serve(`data-${services.length + 1}`, readFileSync(join(folder, 'data/root.key'), 'utf8').trim()),
      ownerUrl: database.ownerUrl,
      appUrl: database.appUrl,
      beside: name => makeDatabase(database.superuserUrl, name),
      slowCommits: milliseconds => slowCommits(database.superuserUrl, milliseconds),
      endConnections: () => endConnections(database.superuserUrl),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The installation's PostgreSQL alone. */
export async function startDatabase(folder: string): Promise<{ database: EmbeddedDatabase; stop(): Promise<void> }> {
  const users = await ensureSystemUsers()
  const dataDir = await prepareDataFolder(join(folder, 'database'), users, () => {})
  const database = await startEmbeddedDatabase({ dataDir, runAs: users?.database, log: () => {} })
  return { database, stop: () => database.stop() }
}

export const asset = '/api/projects/bench/environments/bench/assets/bench'

async function loadAsset(
  sluice: Sluice,
  folder: string,
  { actions, program, files = {} }: InstallationOptions,
): Promise<void> {
  const repository = join(folder, 'repository')
  mkdirSync(join(repository, 'bench'), { recursive: true })
  if (actions) writeFileSync(join(repository, 'bench/actions.yaml'), actions)
  if (program) writeFileSync(join(repository, 'bench/actions.ts'), program)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' })
  git('init', '--quiet', '--initial-branch=main')
  // Otherwise loose objects would be packed during the measurement.
  git('config', 'gc.auto', '0')
  git('add', '--all')
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@sluice.example', 'commit', '--quiet', '--message=Actions')

  await sluice.create('/api/projects', { code: 'bench', name: 'Bench' })
  await sluice.create('/api/projects/bench/environments', { code: 'bench', name: 'Bench' })
  await sluice.create('/api/projects/bench/git_remotes', { name: 'bench', url: pathToFileURL(repository).href })
  const template = { code: 'bench', name: 'Bench', template_type: 'asset', git_remote_name: 'bench' }
  await sluice.create('/api/projects/bench/templates', template)
  const version = '/api/projects/bench/templates/bench/versions/1.0'
  await sluice.put(version, { git_rev: 'main' })
  const fetched = await until(
    'the template version is fetched',
    () => sluice.show<{ state: string; initialization_error: string | null }>(version),
    ({ attributes }) => attributes.state !== 'initializing',
    { seconds: 600 },
  )
  if (fetched.attributes.initialization_error) throw new Error(fetched.attributes.initialization_error)
  const made = { code: 'bench', name: 'Bench', template_code: 'bench', template_version: '1.0' }
  await sluice.create('/api/projects/bench/environments/bench/assets', made)
}

/** Waits for a change to succeed; otherwise throws an error with the outcomes of its steps. */
export async function success(sluice: Sluice, id: string): Promise<void> {
  const { attributes } = await until(
    `change ${id} ends`,
    // Rarely, and without the names of its steps: each request takes time from the measurement.
    () => sluice.show<Change>(`/api/changes/${id}?fields[change]=status_code,error_message`),
    change => isFinal(change.attributes.status_code),
    { pause: 500, seconds: 300 },
  )
  if (attributes.status_code === 'success') return
  const steps = await sluice.list<Record<string, unknown>>(`/api/changes/${id}/steps`, { limit: 1000 })
  const told = steps.flatMap(({ attributes: step }) =>
    step['error_message'] ? [`${step['full_path']}: ${step['error_message']}`] : [],
  )
  throw new Error([`the change ended as ${attributes.status_code}`, attributes.error_message, ...told].join('\n'))
}

/** Waits until `wanted` spare runners are ready. */
export async function spareRunners(ownerUrl: string, wanted: number): Promise<void> {
  const standing = (client: pg.Client) =>
    client.query(`select from runners where status = 'live' and activity_id is null and task_id is null`)
  await until(
    'spare runners are ready',
    () => withClient(ownerUrl, standing),
    ({ rowCount }) => rowCount === wanted,
    { pause: 100 },
  )
}

async function makeDatabase(superuserUrl: string, name: string): Promise<string> {
  const url = new URL(superuserUrl)
  await withClient(superuserUrl, client => client.query(`create database ${name}`))
  url.pathname = `/${name}`
  return url.href
}

function slowCommits(superuserUrl: string, milliseconds: number): Promise<void> {
  return withClient(superuserUrl, async client => {
    await client.query(`alter system set commit_delay = ${milliseconds * 1_000}`)
    await client.query('alter system set commit_siblings = 0')
    await client.query('select pg_reload_conf()')
  })
}

function endConnections(superuserUrl: string): Promise<void> {
  return withClient(superuserUrl, async client => {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'sluice'`)
  })
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function startService(
  folder: string,
  {
    dataFolder,
    port,
    database: { ownerUrl, appUrl },
    wish: { settings, observer },
    rootKey,
  }: {
    dataFolder: string
    port: number
    database: { ownerUrl: string; appUrl: string }
    wish: Pick<InstallationOptions, 'settings' | 'observer'>
    rootKey: string | undefined
  },
): { child: ChildProcess; output(): string } {
  const options = process.env['SLUICE_BENCH_NODE_OPTIONS']?.split(' ') ?? []
  if (observer) options.push('--import', `${pathToFileURL(observer.file)}?notes=${encodeURIComponent(observer.notes)}`)
  const child = spawn(process.execPath, [...options, join(projectFolder, 'src/main/start.ts')], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      SLUICE_DATABASE_URL: appUrl,
      SLUICE_DATABASE_DIRECT_URL: ownerUrl,
      SLUICE_DATA_DIR: join(folder, dataFolder),
      ...(rootKey && { SLUICE_ROOT_KEY: rootKey }),
      SLUICE_PORT: String(port),
      SLUICE_GIT_PROTOCOLS: 'file',
      SLUICE_ADMIN_PASSWORD: adminPassword,
      SLUICE_LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', text => (output += text))
  return { child, output: () => output }
}

/**
 * Starts a program of this folder on the installation's database, with its data folder, and waits for the addresses that
 * it prints.
 */
export async function startHelperProgram(
  program: string,
  { ownerUrl, folder }: Pick<Installation, 'ownerUrl' | 'folder'>,
): Promise<{ addresses: string[]; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(projectFolder, 'bench', program), ownerUrl, join(folder, 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])
  if (typeof line !== 'string') throw new Error(`${program} ended before it listened`)
  return { addresses: line.split(' '), stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
