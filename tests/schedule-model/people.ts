import { randomBytes } from 'node:crypto'
import type { Client } from '../support/api.ts'
import { created } from '../support/changes.ts'
import type { TestService } from '../support/service.ts'
import { ok } from './asking.ts'
import { type creators, type Person, people, type Standing, unhindered } from './judge.ts'

const everything = { path: '/projects/shop', read: true, update: true, execute: true, delete: true }
const rules = {
  all: [everything],
  'no workflows': [everything, { path: '/projects/shop/workflows', execute: false }],
  nothing: [],
} as const

/** A person's state, with the records that grant and deny rights. */
interface Stands extends Standing {
  readonly username: string
  readonly policy: string
  readonly block: string | undefined
}

/** Creators of schedules, with their rights. */
export class People {
  private readonly service: TestService
  private readonly blocked: string
  private readonly those: Record<Person, Stands>

  private constructor(service: TestService, blocked: string, those: Record<Person, Stands>) {
    this.service = service
    this.blocked = blocked
    this.those = those
  }

  static async open(service: TestService): Promise<People> {
    const admin = service.as('admin')
    const stand = async (name: Person): Promise<[Person, Stands]> => {
      await service.addUser(name, [])
      const policy = { name, authorisation_rules: rules.all, assignments: [{ username: name }] }
      const { id } = await created(admin.post('/api/authorisation_policies', policy))
      return [name, { ...unhindered, username: name, policy: id, block: undefined }]
    }
    const those = Object.fromEntries(await Promise.all(people.map(stand))) as Record<Person, Stands>
    const { body } = await admin.get('/api/authorisation_policies?filter[name_eq]=blocked')
    return new People(service, body.data[0].id, those)
  }

  as(who: (typeof creators)[number]): Client {
    return this.service.as(who === 'admin' ? who : this.those[who].username)
  }

  /** Removes all obstacles. */
  async begin(): Promise<void> {
    for (const who of people) {
      if (this.those[who].isDeleted) await this.anotherComes(who)
      await this.stands(who, unhindered)
    }
  }

  /** Changes the state of a person, whatever it was. */
  async stands(who: Person, standing: Standing): Promise<void> {
    const admin = this.service.as('admin')
    const before = this.those[who]
    if (before.has !== standing.has)
      await ok(
        admin.put(`/api/authorisation_policies/${before.policy}/rules`, { authorisation_rules: rules[standing.has] }),
      )
    if (before.isDisabled !== standing.isDisabled)
      await ok(admin.patch(`/api/users/${before.username}`, { disabled: standing.isDisabled }))
    this.those[who] = { ...before, ...standing, block: await this.block(before, standing.isBlocked) }
    if (standing.isDeleted) await ok(admin.delete(`/api/users/${before.username}`))
  }

  /** Blocks or unblocks a person; returns the assignment by which they are blocked, if they are. */
  private async block({ username, block }: Stands, isBlocked: boolean): Promise<string | undefined> {
    const admin = this.service.as('admin')
    if (isBlocked) return block ?? this.assigned(this.blocked, username)
    if (block !== undefined) await ok(admin.delete(`/api/policy_assignments/${block}`))
    return undefined
  }

  /** Names are never reused. */
  private async anotherComes(who: Person): Promise<void> {
    const { policy } = this.those[who]
    const username = `${who}-${randomBytes(4).toString('hex')}`
    await this.service.addUser(username, [])
    await this.assigned(policy, username)
    this.those[who] = {
      ...this.those[who],
      username,
      isBlocked: false,
      isDisabled: false,
      isDeleted: false,
      block: undefined,
    }
  }

  private async assigned(policy: string, username: string): Promise<string> {
    const tie = { authorisation_policy_id: policy, username }
    return (await created(this.service.as('admin').post('/api/policy_assignments', tie))).id
  }
}
