import assert from 'node:assert/strict'
import type { JsonObject } from '../../src/platform/documents/document.ts'
import type { Answer, Client } from '../support/api.ts'
import type { TestRepository } from '../support/git-repository.ts'
import type { TestService } from '../support/service.ts'
import { type Known, nodes, type State } from './oracle.ts'

export type Kind = 'properties' | 'settings'

/** A project in which deeds are done through the API, with a record of all resulting documents. */
export class World {
  readonly service: TestService
  readonly admin: Client
  readonly repository: TestRepository
  readonly known: Known & { names: Record<string, string>; files: Record<string, Record<string, JsonObject>> }
  state: State = { properties: {}, settings: {}, nodes: {}, had: {}, commits: {} }
  /** Commits on the branch, oldest first. */
  readonly shas: string[] = []
  /** Number of deeds so far, which makes names and texts unique. */
  count = 0
  /** Version of the installation's settings when this project was created. */
  globalVersion = 1
  private readonly records = new Map<string, string>()

  constructor(service: TestService, repository: TestRepository, project: string, overrides: JsonObject) {
    this.service = service
    this.repository = repository
    this.admin = service.as('admin')
    this.known = { project, names: {}, files: {}, overrides }
  }

  get root(): string {
    return `/api/projects/${this.known.project}`
  }

  pathOf(owner: string): string {
    if (nodes[owner]) return `${this.root}${nodes[owner].path}`
    const [template, version] = owner.split(' ')
    return `${this.root}/templates/${template}${version ? `/versions/${version}` : ''}`
  }

  /** Path of the owner's properties or settings, below /api. */
  async recordOf(owner: string, kind: Kind): Promise<string> {
    const key = `${owner} ${kind}`
    const path = owner === 'global' ? '/api/system_configuration' : this.pathOf(owner)
    const known =
      this.records.get(key) ?? (await done(this.admin.get(path))).body.data.relationships[kind].links.related
    this.records.set(key, known)
    return known
  }

  versionsOf(template: string): string[] {
    return Object.keys(this.state.commits).filter(version => version.startsWith(`${template} `))
  }

  isArchived(owner: string): boolean {
    return this.state.nodes[owner]?.archived ?? false
  }

  /** Nodes without children. */
  leaves(): string[] {
    return ['a', 'b', 'g'].filter(node => this.state.nodes[node])
  }

  /** An owner without a document so far. */
  noteOwner(owner: string, name?: string): void {
    if (name !== undefined) this.known.names[owner] = name
    this.note({ properties: { [owner]: [{}] }, settings: { [owner]: [{}] } })
  }

  note(more: Partial<State>): void {
    const parts = Object.entries(more).map(([part, each]) => [part, { ...this.state[part as keyof State], ...each }])
    this.state = { ...this.state, ...Object.fromEntries(parts) }
  }

  forget(owner: string): void {
    delete this.known.names[owner]
    for (const kind of ['properties', 'settings']) this.records.delete(`${owner} ${kind}`)
    const parts = Object.entries(this.state).map(([part, { [owner]: _, ...others }]) => [part, others])
    this.state = Object.fromEntries(parts)
  }
}

export const picked = <T>(among: readonly T[], which: number): T => among[which % Math.max(1, among.length)]!

export async function done(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  assert.ok(answer.status < 300, answer.text)
  return answer
}
