import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import { RunWorld } from '../run-model/world.ts'
import type { Answer, Client } from '../support/api.ts'
import { created } from '../support/changes.ts'
import { withClient } from '../support/template-database.ts'
import { type Asset, type Group, groups, type Name, type Policy, people, usualPolicies } from './people.ts'
import { actions, workflow, workflowSource } from './plans.ts'
import { type Level, levels, type Properties, type Rule } from './rules.ts'

const front = '/projects/shop/environments/live/assets/front'
const rulesOf = {
  reads: [{ path: '/projects/shop', read: true }],
  runs: [{ path: '/projects/shop', read: true, execute: true }],
  averted: [{ path: front, read: false }],
}

const places: Readonly<Record<Level, string>> = {
  global: '/api/system_configuration',
  project: '/api/projects/shop',
  environment: '/api/projects/shop/environments/live',
  asset: `/api${front}`,
}

/** An installation with approvers, who are added, removed and changed. */
export class ApprovalWorld {
  readonly runs: RunWorld
  private readonly policies: Record<string, string> = {}
  private readonly documents: Record<string, string> = {}

  private constructor(runs: RunWorld) {
    this.runs = runs
  }

  static async open(): Promise<ApprovalWorld> {
    const names = people.filter(name => name !== 'admin')
    const world = new ApprovalWorld(
      await RunWorld.open({ users: Object.fromEntries(names.map(name => [name, []])), actions }),
    )
    await world.furnish()
    return world
  }

  as = (name: Name): Client => this.runs.service.as(name)

  assetPath = (asset: Asset): string => (asset === 'front' ? front : front.replace(/front$/, asset))

  private async furnish(): Promise<void> {
    const { admin } = this.runs
    for (const [name, authorisation_rules] of Object.entries(rulesOf))
      this.policies[name] = (await created(admin.post('/api/authorisation_policies', { name, authorisation_rules }))).id
    for (const name of ['blocked', 'superuser'])
      this.policies[name] = (await admin.get(`/api/authorisation_policies?filter[name_eq]=${name}`)).body.data[0].id
    const ofGroup = { authorisation_policy_id: this.policies['reads'], username: null, groupname: 'ops' }
    await created(admin.post('/api/policy_assignments', ofGroup))
    for (const name of people.filter(each => each !== 'admin'))
      for (const policy of usualPolicies(name)) await this.gives(name, policy)
    for (const [level, path] of Object.entries(places)) {
      const { relationships } = (await admin.get(path)).body.data
      this.documents[`settings ${level}`] = relationships.settings.links.related
      this.documents[`properties ${level}`] = relationships.properties?.links.related
    }
    await this.owner('create table testing.kept as select id, password_hash from users')
    await this.patch('settings global', {
      'allow_parallel.runs_of_same_change': true,
      'allow_parallel.runs_of_same_workflow': true,
    })
    const attributes = { code: workflow, name: workflow, source_yaml: workflowSource, draft: false }
    await this.writes('project', { owners: 'ann' })
    await created(admin.post('/api/projects/shop/workflows', attributes))
  }

  /** Resets everything: no activities, no approval rules, people as initially created. */
  async clear(): Promise<void> {
    await this.runs.clear()
    for (const level of levels) await this.patch(`settings ${level}`, { requires_approval_from: null })
    for (const where of ['project', 'asset'] as const) await this.writes(where, {})
    await this.owner(`
      truncate event_throttles, directory_groups;
      update users u set disabled = false, deleted_at = null, groupnames = '{}', password_hash = k.password_hash
        from testing.kept k
       where k.id = u.id;`)
    for (const group of groups) await this.returns(group)
  }

  private owner = (statements: string): Promise<unknown> =>
    withClient(this.runs.service.testDatabase.superuserUrl, owner => owner.query(statements))

  private async patch(document: string, data: object): Promise<Answer> {
    return this.runs.admin.patch(this.documents[document]!, { data })
  }

  saves(level: Level, rules: readonly Rule[]): Promise<Answer> {
    return this.patch(`settings ${level}`, { requires_approval_from: rules })
  }

  async writes(where: 'project' | 'asset', properties: Properties): Promise<void> {
    const answer = await this.patch(`properties ${where}`, properties)
    assert.equal(answer.status, 200, answer.text)
  }

  async gives(name: Name, policy: Policy): Promise<void> {
    const wanted = { authorisation_policy_id: this.policies[policy], username: name, groupname: null }
    await created(this.runs.admin.post('/api/policy_assignments', wanted))
  }

  async takes(name: Name, policy: Policy): Promise<void> {
    const { admin } = this.runs
    const query = `filter[username_eq]=${name}&filter[authorisation_policy_id_eq]=${this.policies[policy]}`
    const [assignment] = (await admin.get(`/api/policy_assignments?${query}`)).body.data
    assert.equal((await admin.delete(`/api/policy_assignments/${assignment.id}`)).status, 204)
  }

  async disables(name: Name, disabled: boolean): Promise<void> {
    const { status, text } = await this.runs.admin.patch(`/api/users/${name}`, { disabled })
    assert.equal(status, 200, text)
  }

  async deletes(name: Name): Promise<void> {
    const { status, text } = await this.runs.admin.delete(`/api/users/${name}`)
    assert.equal(status, 204, text)
  }

  /** Writes the groups of a person, like a refresh of the directory. */
  async isIn(name: Name, own: Iterable<Group>): Promise<void> {
    await this.runs.service.database.count(sql`
      update users set groupnames = ${[...own]}::text[] where username = ${name}`)
  }

  async vanishes(group: Group): Promise<void> {
    await this.runs.service.database.count(sql`delete from directory_groups where groupname = ${group}`)
  }

  async returns(group: Group): Promise<void> {
    await this.runs.service.database.count(sql`insert into directory_groups (groupname) values (${group})`)
  }
}
