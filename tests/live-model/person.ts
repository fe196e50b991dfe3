import assert from 'node:assert/strict'
import { basicOf, type Client } from '../support/api.ts'
import { created } from '../support/changes.ts'
import { passwordOf } from '../support/service.ts'

/** Rights of a person from a moment on (milliseconds of this process). */
interface Standing {
  readonly since: number
  readonly disabled: boolean
  readonly blocked: boolean
  /** The paths that their rules allow them to read. */
  readonly reads: readonly string[]
}

/**
 * A listener, with what they could read when. A granted right counts from before the request, a revoked one from its
 * response: in between, either is correct.
 */
export class Person {
  readonly name: string
  /** All paths that they may ever read, each with a rule. */
  readonly paths: readonly string[]
  private readonly admin: Client
  private readonly policy: string
  private readonly standings: Standing[]
  private tie: string | undefined

  private constructor(admin: Client, name: string, paths: readonly string[], policy: string) {
    this.name = name
    this.paths = paths
    this.admin = admin
    this.policy = policy
    this.standings = [{ since: 0, disabled: false, blocked: false, reads: paths }]
  }

  static async known(admin: Client, name: string, paths: readonly string[]): Promise<Person> {
    const { body } = await admin.get(`/api/authorisation_policies?filter[name_eq]=what%20${name}%20may%20do`)
    return new Person(admin, name, paths, body.data[0].id)
  }

  get now(): Standing {
    return this.standings.at(-1)!
  }

  get authorization(): string {
    return basicOf(this.name, passwordOf(this.name))
  }

  mayRead = (path: string): boolean => sees(this.now, path)

  /** Whether they could read it at any moment between these two. */
  couldRead(path: string, from: number, to: number): boolean {
    return this.standings.some((standing, at) => {
      const until = this.standings[at + 1]?.since ?? Number.POSITIVE_INFINITY
      return until >= from && standing.since <= to && sees(standing, path)
    })
  }

  /** Whether they could read it all the time from then on. */
  couldReadSince(path: string, from: number): boolean {
    return this.standings.every((standing, at) => {
      const until = this.standings[at + 1]?.since ?? Number.POSITIVE_INFINITY
      return until < from || sees(standing, path)
    })
  }

  async isGiven(path: string): Promise<void> {
    const reads = [...new Set([...this.now.reads, path])]
    this.stands({ reads })
    await this.rules(reads)
  }

  async loses(path: string): Promise<void> {
    const reads = this.now.reads.filter(each => each !== path)
    await this.rules(reads)
    this.stands({ reads })
  }

  async isBlocked(): Promise<void> {
    if (this.tie) return
    const { body } = await this.admin.get('/api/authorisation_policies?filter[name_eq]=blocked')
    const tie = { authorisation_policy_id: body.data[0].id, username: this.name }
    this.tie = (await created(this.admin.post('/api/policy_assignments', tie))).id
    this.stands({ blocked: true })
  }

  async isUnblocked(): Promise<void> {
    if (!this.tie) return
    this.stands({ blocked: false })
    assert.equal((await this.admin.delete(`/api/policy_assignments/${this.tie}`)).status, 204)
    this.tie = undefined
  }

  async isDisabled(disabled: boolean): Promise<void> {
    if (this.now.disabled === disabled) return
    if (!disabled) this.stands({ disabled })
    assert.equal((await this.admin.patch(`/api/users/${this.name}`, { disabled })).status, 200)
    if (disabled) this.stands({ disabled })
  }

  /** Restores the initial rights. */
  async hasAll(): Promise<void> {
    for (const path of this.paths) if (!this.now.reads.includes(path)) await this.isGiven(path)
    await this.isUnblocked()
    await this.isDisabled(false)
  }

  private async rules(reads: readonly string[]): Promise<void> {
    const authorisation_rules = reads.map(path => ({ path, read: true }))
    const put = await this.admin.put(`/api/authorisation_policies/${this.policy}/rules`, { authorisation_rules })
    assert.equal(put.status, 200, put.text)
  }

  private stands(how: Partial<Standing>): void {
    this.standings.push({ ...this.now, ...how, since: performance.now() })
  }
}

const sees = ({ disabled, blocked, reads }: Standing, path: string): boolean =>
  !disabled && !blocked && reads.some(each => path === each || path.startsWith(`${each}/`))
