import { rename } from 'node:fs/promises'
import { rightsFrom } from '../../src/domain/access/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer } from '../support/api.ts'
import { moveClock } from '../support/database.ts'
import { type TestRepository, testRepository } from '../support/git-repository.ts'
import { type TemplateWorld, templateWorld } from '../support/template-world.ts'
import { actionOf } from './repository.ts'
import { type Commit, templateOf } from './state.ts'
import type { Wish } from './versions.ts'

export interface FoundTask {
  readonly id: string
  readonly about: string
  readonly status: string
}

/** The domains of templates and of Git, run by the test, which acts as every runner. */
export const openWorld = (): Promise<TemplateWorld> =>
  templateWorld({ admin: rightsFrom({ superuser: true, blocked: false, rules: [] }) })

/** A project of its own, with a repository, and the service's responses about it. */
export class Project {
  readonly repository: TestRepository
  /** Name of each record in the history, by its id. */
  readonly #names = new Map<string, string>()
  readonly #world: TemplateWorld
  readonly #root: string
  #id = ''
  #remote = ''
  #seen = 0

  private constructor(world: TemplateWorld, repository: TestRepository) {
    this.#world = world
    this.repository = repository
    this.#root = `/api/projects/p${repository.folder.slice(-6)}`
  }

  static async begin(world: TemplateWorld): Promise<Project> {
    const project = new Project(world, await testRepository({}))
    const code = project.#root.replace('/api/projects/', '')
    project.#id = (await world.admin.post('/api/projects', { code, name: code })).body.data.id
    const { url } = project.repository
    const remote = await world.admin.post(`${project.#root}/git_remotes`, { name: 'code', url })
    project.#remote = project.#call(remote, 'remote').body.data.links.self
    await project.events()
    return project
  }

  /** Archives the remote, so that it is no longer fetched during other histories. */
  async end(): Promise<void> {
    await this.maintenance(false)
    await this.changesRemote({ archived: true })
    await this.repository.remove()
  }

  async puts(label: string, { rev, float, fetches, ignores, ...others }: Wish): Promise<Answer> {
    const attributes = { git_rev: rev, float_git_rev: float, ...others }
    const meta = { ...(fetches && { fetch_revision: true }), ...(ignores && { ignore_in_use: true }) }
    const raw = JSON.stringify({ data: { attributes, meta } })
    const headers = { 'content-type': 'application/json' }
    return this.#call(await this.#world.admin.send('PUT', this.#version(label), { raw, headers }), label)
  }

  drops = (label: string): Promise<Answer> => this.#world.admin.delete(this.#version(label))

  cancels = (label: string): Promise<Answer> => this.#world.admin.post(`${this.#version(label)}/cancel_refresh`)

  assigns(label: string, codes: readonly string[]): Promise<Answer> {
    const asset_paths = codes.map(code => this.#asset(code).replace('/api', ''))
    return this.#world.admin.post(`${this.#version(label)}/assign_to_assets`, { asset_paths })
  }

  async makesTemplate(code: string): Promise<Answer> {
    const attributes = { code, name: code, template_type: 'asset', git_remote_name: 'code' }
    return this.#call(await this.#world.admin.post(`${this.#root}/templates`, attributes), code)
  }

  changesTemplate = (code: string, attributes: object): Promise<Answer> =>
    this.#world.admin.patch(`${this.#root}/templates/${code}`, attributes)

  dropsTemplate = (code: string): Promise<Answer> => this.#world.admin.delete(`${this.#root}/templates/${code}`)

  changesRemote = (attributes: object): Promise<Answer> => this.#world.admin.patch(this.#remote, attributes)

  dropsRemote = (): Promise<Answer> => this.#world.admin.delete(this.#remote)

  async makes(code: string, label: string): Promise<Answer> {
    const [template_code, template_version] = label.split(' ')
    const attributes = { code, name: code, template_code, template_version }
    return this.#call(await this.#world.admin.post(`${this.#root}/assets`, attributes), code)
  }

  moves = (code: string, template_version: string): Promise<Answer> =>
    this.#world.admin.patch(this.#asset(code), { template_version })

  archives = (code: string, archived: boolean): Promise<Answer> =>
    archived
      ? this.#world.admin.delete(this.#asset(code))
      : this.#world.admin.patch(this.#asset(code), { archived: false })

  destroys = (code: string): Promise<Answer> => this.#world.admin.delete(`${this.#asset(code)}?ignore_in_use=true`)

  asksForActions = (code: string): Promise<Answer> =>
    this.#world.admin.post(`${this.#asset(code)}/node_background_tasks`)

  cancelsTask = (code: string, id: string): Promise<Answer> =>
    this.#world.admin.delete(`${this.#asset(code)}/node_background_tasks/${id}`)

  /** A folder without a HEAD is not a repository. */
  async isAway(away: boolean): Promise<void> {
    const head = `${this.repository.folder}/HEAD`
    await (away ? rename(head, `${head}.away`) : rename(`${head}.away`, head))
  }

  async works(): Promise<void> {
    await this.#world.runJobs()
    await this.#world.loop('templates.resume_fetches')
    await this.#fetchesWhatIsDue()
  }

  async admits(): Promise<void> {
    while (await this.#world.loop('background_tasks.admit'));
  }

  async timePasses(): Promise<void> {
    await moveClock(this.#world.api.testDatabase, '26 hours')
    await this.#fetchesWhatIsDue()
    await this.works()
  }

  async #fetchesWhatIsDue(): Promise<void> {
    while (await this.#world.loop('git.periodic_fetch'));
    await this.#world.runJobs()
  }

  async maintenance(isOn: boolean): Promise<void> {
    const { body } = await this.#world.admin.get('/api/system_configuration')
    const data = { maintenance_mode: isOn ? 'enabled' : 'disabled' }
    await this.#world.admin.patch(body.data.relationships.settings.links.related, { data })
  }

  /** Result of a task's runner. */
  async runnerEnds(task: FoundTask, outcome: 'success' | 'error' | 'cancelled', commit: Commit): Promise<void> {
    const actions = [{ name: actionOf(commit), entry: { description: 'Goes' }, program: true }]
    const outputs = { actions, reads_properties: commit.content === 'asking' }
    await this.#world.runnerEnds(task.id, outcome, outcome === 'success' ? outputs : undefined)
  }

  /** Types of unchecked events, each with its subject. */
  async events(): Promise<string[]> {
    const rows = await this.#world.api.database.rows(sql<{ type: string; source_id: string | null; path: string }>`
      select type, source_id, path from events where project_id = ${this.#id}::uuid order by created_at, id`)
    const unseen = rows.slice(this.#seen)
    this.#seen = rows.length
    return unseen.map(
      ({ type, source_id, path }) => `${type} ${this.#names.get(source_id ?? '') ?? path.split('/').at(-1)}`,
    )
  }

  tasks(): Promise<FoundTask[]> {
    return this.#world.api.database.rows(sql<FoundTask>`
      select t.id, t.status_code as status,
             coalesce(n.code, (select code from templates p where p.id = v.template_id) || ' ' || v.version) as about
        from node_background_tasks t
        left join nodes n on n.id = t.node_id
        left join template_versions v on v.id = t.template_version_id
       where t.project_id = ${this.#id}::uuid and n.destroyed_at is null order by t.request_number`)
  }

  async remote(): Promise<Answer['body']> {
    return (await this.#world.admin.get(this.#remote)).body.data.attributes
  }

  async versions(template: string): Promise<Answer['body']> {
    const answer = await this.#world.admin.get(`${this.#root}/templates/${template}/versions`)
    return answer.status === 404 ? [] : answer.body.data
  }

  async assets(): Promise<Answer['body'][]> {
    const { body } = await this.#world.admin.get(`${this.#root}/assets`)
    const codes = body.data.map((each: { attributes: { code: string } }) => each.attributes.code) as string[]
    return Promise.all(codes.map(async code => (await this.#world.admin.get(this.#asset(code))).body.data))
  }

  #call(answer: Answer, name: string): Answer {
    if (answer.status < 300) this.#names.set(answer.body.data.id, name)
    return answer
  }

  #version(label: string): string {
    return `${this.#root}/templates/${templateOf(label)}/versions/${label.split(' ')[1]}`
  }

  #asset(code: string): string {
    return `${this.#root}/assets/${code}`
  }
}
