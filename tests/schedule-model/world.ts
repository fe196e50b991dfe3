import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { until } from '../../client/sluice.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, often } from '../support/changes.ts'
import type { TestRepository } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'
import type { Tree } from './files.ts'
import { People } from './people.ts'
import { Process, type Queued } from './process.ts'

const action = 'actions:\n  ask: { description: Waits, steps: [{ wait: Look }] }\n'
const none = 'actions:\n  other: { description: Waits, steps: [{ wait: Look }] }\n'
const first: Tree = { 'actions.yaml': action, 'web/actions.yaml': action }

/** An installation with a stopped clock, and two processes that poll only when told. */
export class ScheduleWorld {
  readonly service: TestService
  readonly admin: Client
  readonly processes: readonly Process[]
  readonly versions: Record<string, { commit: string; isOffered: boolean; tree: Tree }> = {}
  repository!: TestRepository
  /** Connection with rights on the tables that no part of the product has. */
  readonly owner: Database
  /** Nodes and branches of a history. */
  code = ''
  people!: People
  readonly tally: Record<string, number> = {}

  private constructor(service: TestService, processes: readonly Process[]) {
    this.service = service
    this.admin = service.as('admin')
    this.processes = processes
    this.owner = openDatabase({ url: service.testDatabase.superuserUrl, name: 'the test', size: 2 })
  }

  static async open(): Promise<ScheduleWorld> {
    const service = await startTestService({ spares: 0 })
    const processes = [await Process.open(service), await Process.open(service)]
    const world = new ScheduleWorld(service, processes)
    await world.furnish()
    await world.standStill()
    return world
  }

  /** While the service still works by itself. */
  private async furnish(): Promise<void> {
    const { admin, service } = this
    this.repository = await service.repository(first)
    await created(admin.post('/api/projects', { code: 'shop', name: 'Shop' }))
    await created(admin.post('/api/projects/shop/git_remotes', { name: 'code', url: this.repository.url }))
    const template = { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: 'code' }
    await created(admin.post('/api/projects/shop/templates', template))
    const more = [{ 'src/a.txt': '1' }, { 'src/a.txt': '2', 'docs/c.md': '2' }, { 'web/actions.yaml': none }]
    for (const [at, files] of more.entries()) await this.version(`${at + 1}`, { ...first, ...files })
    const source_yaml = 'steps: [{ type: wait, name: Look }]\n'
    const workflow = { code: 'nightly', name: 'Nightly', source_yaml, draft: false }
    await created(admin.post('/api/projects/shop/workflows', workflow))
    this.people = await People.open(service)
  }

  private async version(version: string, tree: Tree): Promise<void> {
    const commit = this.repository.commit(tree, { branch: `v${version}` })
    const path = `/api/projects/shop/templates/web/versions/${version}`
    await created(this.admin.put(path, { git_rev: `v${version}` }))
    const isThere = (answer: { body: { data: { attributes: { state: string } } } }) =>
      answer.body.data.attributes.state === 'ready'
    await until(`version ${version} is ready`, () => this.admin.get(path), isThere, often)
    this.versions[version] = { commit, isOffered: tree['web/actions.yaml'] === action, tree }
  }

  /** Stops all background work of the service: from here on only `clock` moves the time. */
  private async standStill(): Promise<void> {
    await this.service.halt({ keepRunners: false })
    await this.service.startAgain({ role: 'api' })
    await this.owner.rows(sql`create table testing.stopped as select testing.real_now() as at`)
    await this.owner.rows(sql`grant select on testing.stopped to public`)
    await this.owner.rows(sql`
      create or replace function public.sluice_now() returns timestamptz
        language sql volatile parallel safe as $$ select at from testing.stopped $$`)
  }

  /** Sets the clock, in seconds since 1970. */
  async clock(at: number): Promise<void> {
    await this.owner.count(sql`update testing.stopped set at = to_timestamp(${at})`)
  }

  async now(): Promise<number> {
    const row = await this.owner.one(sql<{ at: number }>`select ceil(extract(epoch from sluice_now()))::float8 as at`)
    return row!.at
  }

  /** Resets the installation: nothing was ever due; an environment, an asset and a new branch. */
  async begin(at: number): Promise<void> {
    await this.clock(at)
    this.code = randomBytes(4).toString('hex')
    await this.forget()
    await this.setting({ schedule_catch_up: null, maintenance_mode: null })
    await this.people.begin()
    await created(this.admin.post('/api/projects/shop/environments', { code: this.code, name: 'Live' }))
    const asset = { code: 'front', name: 'Front', template_code: 'web', template_version: '1' }
    await created(this.admin.post(`${this.pathOf('environment')}/assets`, asset))
  }

  /** Empties tables and drops the partitions of earlier months, which each history would add to. */
  private async forget(): Promise<void> {
    const tables = sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits
       where inhparent in ('events'::regclass, 'log_chunks'::regclass) and inhrelid::regclass::text ~ '_\\d{6}$'`
    const names = (await this.owner.rows(tables)).map(({ name }) => name)
    await this.owner.transaction(async tx => {
      await tx.rows(sql`set local session_replication_role = replica`)
      await tx.rows(sql`truncate activities, runners, slot_claims, name_checks, scheduled_activities cascade`)
      await tx.rows(sql`delete from graphile_worker._private_jobs`)
      for (const name of names) await tx.rows(sql`drop table ${sql.table(name)}`)
    })
    await this.owner.rows(sql`select sluice_ensure_partitions(1)`)
  }

  pathOf(target: 'asset' | 'environment' | 'workflow'): string {
    if (target === 'workflow') return '/api/projects/shop'
    const environment = `/api/projects/shop/environments/${this.code}`
    return target === 'environment' ? environment : `${environment}/assets/front`
  }

  branch = (name: string): string => `${name}-${this.code}`

  commit(branch: string, tree: Tree): string {
    return this.repository.commit({ ...tree }, { branch: this.branch(branch) })
  }

  goBack(branch: string, commit: string): void {
    this.repository.git('update-ref', `refs/heads/${this.branch(branch)}`, commit)
  }

  get first(): Tree {
    return first
  }

  async setting(data: object): Promise<void> {
    const { body } = await this.admin.get('/api/system_configuration')
    const path = `/api/settings/${body.data.relationships.settings.data.id}`
    assert.equal((await this.admin.patch(path, { data })).status, 200)
  }

  queue(): Promise<Queued[]> {
    return this.owner.rows(sql<Queued>`
      select j.id::text as id, t.identifier as name, j.payload
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where j.run_at <= greatest(now(), sluice_now())
       order by j.priority, j.run_at, j.id`)
  }

  /** Removes a job that is done. */
  async drop({ id }: Queued): Promise<void> {
    await this.owner.count(sql`delete from graphile_worker._private_jobs where id = ${id}::bigint`)
  }

  async stop(): Promise<void> {
    for (const process of this.processes) await process.stop()
    await this.owner.end()
    await this.service.stop()
  }
}
