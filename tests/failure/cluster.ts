import { execFile } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { olderPostgres } from '../../bin/older-postgres.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { freePort } from '../support/free-port.ts'
import { makeRoles, roleUrl } from '../support/template-database.ts'

const run = promisify(execFile)

interface Node {
  readonly folder: string
  readonly port: number
}

/**
 * A PostgreSQL cluster as operators run it: a primary, a synchronous replica, and one address that leads to the current
 * primary.
 */
export class Cluster {
  readonly #folder: string
  readonly #bin: string
  readonly #as: { uid: number; gid: number } | Record<string, never>
  readonly #door: Server
  readonly #through = new Set<Socket>()
  #nodes = 0
  #primary!: Node
  #standby: Node | undefined

  private constructor(folder: string, bin: string, as: { uid: number; gid: number } | undefined) {
    this.#folder = folder
    this.#bin = bin
    this.#as = as ? { uid: as.uid, gid: as.gid } : {}
    this.#door = createServer(socket => this.#letThrough(socket))
  }

  static async start(): Promise<Cluster> {
    const users = await ensureSystemUsers()
    const folder = mkdtempSync(join(tmpdir(), 'sluice-cluster-'))
    if (users) chownSync(folder, users.database.uid, users.database.gid)
    const cluster = new Cluster(folder, (await olderPostgres()).folder, users?.database)
    await new Promise<void>(resolve => cluster.#door.listen(0, '127.0.0.1', resolve))
    await cluster.#make()
    return cluster
  }

  async #make(): Promise<void> {
    const node = await this.#newNode()
    await this.#pg(
      'initdb',
      '-D',
      node.folder,
      '-U',
      'postgres',
      '--auth=trust',
      '--no-sync',
      '-E',
      'UTF8',
      '--locale=C',
    )
    // Processes are killed, not the machine: without fsync nothing written is lost.
    const settings = ['fsync = off', 'full_page_writes = off', 'max_connections = 80', "listen_addresses = '127.0.0.1'"]
    appendFileSync(join(node.folder, 'postgresql.conf'), `\n${settings.join('\n')}\nunix_socket_directories = ''\n`)
    this.#primary = node
    await this.#run(node)
    await this.asSuperuser(async admin => {
      await makeRoles(admin)
      await admin.query('create database sluice owner sluice_owner')
    })
    await this.#makeStandby()
  }

  get superuserUrl(): string {
    return `postgres://postgres@127.0.0.1:${(this.#door.address() as AddressInfo).port}/postgres`
  }

  get appUrl(): string {
    return roleUrl(this.superuserUrl, 'sluice_app', 'sluice')
  }

  get ownerUrl(): string {
    return roleUrl(this.superuserUrl, 'sluice_owner', 'sluice')
  }

  async asSuperuser<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.superuserUrl, application_name: 'chaos' })
    // It may be killed meanwhile: the query reports that.
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** SIGKILL to the postmaster; then PostgreSQL is restarted. */
  async kill(): Promise<void> {
    const [pid] = readFileSync(join(this.#primary.folder, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await this.#run(this.#primary)
  }

  async awayFor(milliseconds: number): Promise<void> {
    await this.#stop(this.#primary)
    await pause(milliseconds)
    await this.#run(this.#primary)
  }

  /**
   * The primary dies for good; its replica takes over, and gets a replica of its own. As an operator would, fails over
   * only to a replica that has everything: one that has not reconnected since the primary was restarted lacks later
   * transactions.
   */
  async failOver(): Promise<void> {
    const dead = this.#primary
    const next = this.#standby
    if (!next) throw new Error('there is no replica to fail over to')
    await this.#hasEverything()
    await this.#stop(dead)
    await this.#pg('pg_ctl', 'promote', '-w', '-D', next.folder)
    this.#primary = next
    for (const socket of this.#through) socket.destroy()
    rmSync(dead.folder, { recursive: true })
    await this.#makeStandby()
  }

  /** Takes every available connection, and holds it. */
  async exhaust(milliseconds: number): Promise<number> {
    const taken: pg.Client[] = []
    try {
      for (;;) {
        const client = new pg.Client({ connectionString: this.appUrl, application_name: 'chaos, greedy' })
        client.on('error', () => {})
        await client.connect()
        taken.push(client)
      }
    } catch (error) {
      // 53300: too many connections.
      if ((error as { code?: string }).code !== '53300') throw error
    } finally {
      await pause(milliseconds)
      await Promise.all(taken.map(client => client.end().catch(() => {})))
    }
    return taken.length
  }

  /** Reads, and stays idle in its transaction. */
  async idleReader(milliseconds: number): Promise<void> {
    await this.asSuperuser(async admin => {
      await admin.query('begin isolation level repeatable read')
      await admin.query('select count(*) from pg_class')
      await pause(milliseconds)
      await admin.query('rollback')
    })
  }

  async remove(): Promise<void> {
    this.#door.close()
    for (const socket of this.#through) socket.destroy()
    for (const node of [this.#standby, this.#primary]) if (node) await this.#stop(node).catch(() => {})
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #letThrough(from: Socket): void {
    const to = connect(this.#primary.port, '127.0.0.1')
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#through.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#through.delete(one)
        other.destroy()
      })
    }
  }

  /** Waits until the replica has everything that was written before the call. */
  async #hasEverything(): Promise<void> {
    await this.asSuperuser(async admin => {
      const { lsn } = (await admin.query('select pg_current_wal_lsn() as lsn')).rows[0]
      const there = `select from pg_stat_replication where sync_state = 'sync' and flush_lsn >= $1::pg_lsn`
      while ((await admin.query(there, [lsn])).rowCount === 0) await pause(50)
    })
  }

  async #newNode(): Promise<Node> {
    this.#nodes += 1
    return { folder: join(this.#folder, `node-${this.#nodes}`), port: await freePort() }
  }

  async #makeStandby(): Promise<void> {
    this.#standby = undefined
    const node = await this.#newNode()
    const { port } = this.#primary
    await this.#pg(...['pg_basebackup', '-D', node.folder], ...['-h', '127.0.0.1', '-p', String(port)], ...base)
    // A replica of a promoted replica has read there that it must wait for one.
    const own = join(node.folder, 'postgresql.auto.conf')
    const kept = readFileSync(own, 'utf8').split('\n')
    writeFileSync(own, kept.filter(line => !line.startsWith('synchronous_standby_names')).join('\n'))
    await this.#run(node)
    this.#standby = node
    await this.asSuperuser(async admin => {
      await admin.query(`alter system set synchronous_standby_names = '*'`)
      await admin.query('select pg_reload_conf()')
      for (let isThere = 0; isThere === 0; ) {
        isThere = (await admin.query(`select from pg_stat_replication where sync_state = 'sync'`)).rowCount ?? 0
        if (isThere === 0) await pause(50)
      }
    })
  }

  async #run(node: Node): Promise<void> {
    const log = join(this.#folder, 'log')
    const start = ['start', '-w', '-t', '60', '-D', node.folder, '-l', log, '-o', `-p ${node.port}`]
    // A killed server's shared memory is in use until its last process is gone.
    for (let tries = 1; ; tries += 1) {
      try {
        return void (await this.#pg('pg_ctl', ...start))
      } catch (error) {
        if (tries === 50)
          throw new Error(`PostgreSQL does not start: ${readFileSync(log, 'utf8').slice(-2_000)}`, { cause: error })
        await pause(100)
      }
    }
  }

  #stop = ({ folder }: Node) => this.#pg('pg_ctl', 'stop', '-m', 'immediate', '-D', folder)

  #pg(program: string, ...args: string[]): Promise<unknown> {
    return run(join(this.#bin, program), args, { ...this.#as, cwd: this.#folder })
  }
}

const base = ['-U', 'postgres', '-R', '-X', 'stream', '-c', 'fast', '--no-sync']

/** Creates the data folder of a second service, with the key of the first. */
export function sameRootKey(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'root.key'), readFileSync(join(from, 'root.key')), { mode: 0o600 })
}
