import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Chance } from '../audit-trail/chance.ts'
import type { Step } from '../execution-model/step.ts'
import { readAll } from '../run-model/found.ts'
import type { Held } from '../run-model/world.ts'
import type { Answer } from '../support/api.ts'
import { Activity } from './activity.ts'
import { type Facts, shouldSee } from './foreseen.ts'
import { seenBy, trailOf } from './found.ts'
import { Judge, type Refused } from './judge.ts'
import { type Name, people } from './people.ts'
import type { ApprovalWorld } from './world.ts'

/** Plays a history against the service and the judge, who predicts the responses. */
export class Play {
  readonly world: ApprovalWorld
  readonly chance: Chance
  readonly judge = new Judge()
  readonly told: string[] = []
  /** Ids of changes and steps by the judge's names, and the reverse. */
  readonly ids = new Map<string, string>()
  private readonly labels = new Map<string, string>()
  private readonly held = new Map<string, Held>()

  constructor(world: ApprovalWorld, chance: Chance) {
    this.world = world
    this.chance = chance
  }

  story = (): string => this.told.join('\n')

  tells(line: string): void {
    this.told.push(line)
  }

  agree(found: unknown, predicted: unknown, about: string): void {
    if (isDeepStrictEqual(found, predicted)) return
    const both = `${about}: ${JSON.stringify(found)}, predicted ${JSON.stringify(predicted)}`
    assert.fail(`${both}\n${this.story()}`)
  }

  /** Response to the creation of a change or a retry. */
  isMade(answer: Answer, made: Activity | Refused): void {
    if (made instanceof Activity) {
      this.agree(answer.status, 201, `${answer.text}, making ${made.made.label}`)
      this.ids.set(made.made.label, answer.body.data.id)
    } else this.agree([answer.status, answer.body?.errors?.[0]?.code], [made.status, made.code], 'making a change')
  }

  /** Compares what these people see with the judge's state, after a deed. */
  async agrees(...eyes: readonly Name[]): Promise<void> {
    const { world, judge } = this
    await world.runs.settle()
    await this.readNames()
    for (const name of new Set(eyes.filter(each => judge.people[each].signsIn)))
      this.same(await seenBy(world.as(name), this.labels), shouldSee(judge, name), name)
    this.agree((await trailOf(world, this.labels)).toSorted(), judge.events.toSorted(), 'the audit trail')
  }

  private async readNames(): Promise<void> {
    const { steps } = await readAll(this.world.runs.service.database, this.ids)
    for (const [label, id] of [...this.ids, ...steps]) this.labels.set(id, label)
    for (const [label, id] of steps) this.ids.set(label, id)
  }

  private same(found: Facts, predicted: Facts, name: Name): void {
    for (const about of new Set([...Object.keys(found), ...Object.keys(predicted)]))
      this.agree(found[about], predicted[about], `${name} sees ${about}`)
  }

  /** A runner takes all steps of a change, and they all end with this outcome. */
  async works(change: Activity, ended: 'success' | 'error'): Promise<void> {
    const { label } = change.made
    if (change.mayBeTaken())
      for (const held of await this.world.runs.take(this.ids.get(label)!)) this.held.set(`${label} ${held.path}`, held)
    change.judge.take(100)
    for (const step of change.judge.running()) {
      const held = this.held.get(`${label} ${step.path}`)!
      await this.world.runs.end(held, change.isCancelled && ended === 'error' ? 'cancelled' : ended)
      change.ends(step, ended)
    }
  }

  pathOf = ({ made, stepsAre }: Activity, step: Step): string =>
    `/api/${stepsAre}/${this.ids.get(`${made.label} ${step.path}`)}`

  anyone = (): Name => this.chance.of(people)
}
