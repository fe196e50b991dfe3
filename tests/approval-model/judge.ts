import type { Step } from '../execution-model/step.ts'
import { Activity, type Made } from './activity.ts'
import { type Answer, answerTo, can, type Decidable, type Decider, decidedSo, type Verb } from './deciding.ts'
import { type Asset, type Group, groups, type Name, Person, people } from './people.ts'
import { type Action, askedAt } from './plans.ts'
import { retriedChange } from './retried.ts'
import {
  type Asked,
  faultsOf,
  filledIn,
  isAsked,
  isLeftOut,
  type Level,
  type Properties,
  type Rule,
  rulesInForce,
  unknownNames,
} from './rules.ts'

export interface Refused {
  readonly status: 401 | 403 | 404 | 409 | 422
  readonly code: string
}

/** Attributes of a new change or retry. */
export interface Wanted {
  readonly by: Name
  readonly asset: Asset
  readonly action: Action
}

/** An installation as far as approvals are concerned: predicts the responses to deeds, and the resulting state. */
export class Judge {
  readonly people = Object.fromEntries(people.map(name => [name, new Person(name)])) as Record<Name, Person>
  readonly groups = new Set<Group>(groups)
  readonly settings: Record<Level, readonly Rule[]> = { global: [], project: [], environment: [], asset: [] }
  readonly properties: Record<'project' | 'asset', Properties> = { project: {}, asset: {} }
  readonly activities: Activity[] = []
  /** Audit trail of decisions, as text. */
  readonly events: string[] = []
  /** Assets for which unknown approvers were recorded within the hour. */
  private readonly toldOf = new Set<Asset>()
  /** Times at which the properties of a place were written; time is the number of deeds. */
  private readonly written = { project: 0, asset: 0 }
  private readonly approvedAt = new Map<string, number>()
  private now = 0

  private known = () => ({ people: Object.values(this.people), groups: [...this.groups] })

  /** Faults of rules; if there are any, none is saved. */
  saves(level: Level, rules: readonly Rule[]): string[] {
    const faults = faultsOf(rules, this.known())
    if (faults.length === 0) this.settings[level] = rules
    return faults
  }

  writes(where: 'project' | 'asset', properties: Properties): void {
    this.now += 1
    this.written[where] = this.now
    this.properties[where] = properties
  }

  /** A person with their rights on the asset of a change. */
  decider(name: Name, asset: Asset | undefined): Decider {
    const person = this.people[name]
    return { person, mayRead: person.mayRead(asset), mayRun: person.mayRun(asset) }
  }

  makes(wanted: Wanted): Activity | Refused {
    const rules = this.asks(wanted)
    if (!Array.isArray(rules)) return rules as Refused
    return this.add(new Activity({ ...this.named('change', wanted), rules }))
  }

  /** A run of the workflow. */
  begins(by: Name): Activity | Refused {
    const refused = this.hinders({ by })
    if (refused) return refused
    if (!askedAt('', 'Ready', this.properties.project)) return { status: 422, code: 'invalid' }
    return this.add(new Activity({ ...this.named('run', { by }), rules: [] }))
  }

  /** @param isSame whether it requires the same as the original */
  retries(before: Activity, by: Name, isSame: boolean): Activity | Refused {
    const { asset, action } = before.made as Made & Wanted
    const wanted = { by, asset, action }
    const refused = this.hinders(wanted)
    if (refused) return refused
    const isTried = this.activities.some(each => each.tries === before && !each.isOver)
    if (!before.isOver || before.judge.statusOfChange() === 'success' || isTried) return wrongState
    const rules = this.asks(wanted)
    if (!Array.isArray(rules)) return rules as Refused
    const since = Math.max(this.written.project, asset === 'front' ? this.written.asset : 0)
    const counts = (step: Step, name: string) => isSame && this.approvedAt.get(keyOf(before, step, name))! > since
    const retry = retriedChange(before, { ...this.named('change', wanted), rules }, counts)
    retry.tries = before
    return this.add(retry)
  }

  private named(
    kind: 'change' | 'run',
    { by, asset, action }: Pick<Wanted, 'by'> & Partial<Wanted>,
  ): Omit<Made, 'rules'> {
    const label = `${kind} ${this.activities.length + 1}`
    return { label, asset, action, maker: by, properties: this.properties.project }
  }

  private add(activity: Activity): Activity {
    this.now += 1
    this.activities.push(activity)
    for (const step of activity.waits())
      for (const { by } of activity.saidAt(step).approvals) this.approvedAt.set(keyOf(activity, step, by), this.now)
    this.tellsUnresolved(activity)
    return activity
  }

  private hinders({ by, asset }: Pick<Wanted, 'by'> & Partial<Wanted>): Refused | undefined {
    const { person, mayRead, mayRun } = this.decider(by, asset)
    if (!person.signsIn) return { status: 401, code: 'unauthenticated' }
    if (!mayRead) return { status: 404, code: 'missing' }
    return mayRun ? undefined : { status: 403, code: 'forbidden' }
  }

  /** The rules for its start. */
  private asks(wanted: Wanted): readonly Asked[] | Refused {
    const refused = this.hinders(wanted)
    if (refused) return refused
    const { by, asset, action } = wanted
    const maker = this.people[by]
    const properties = { ...this.properties.project, ...(asset === 'front' && this.properties.asset) }
    const rules = rulesInForce(this.settings, asset)
      .filter(rule => isAsked(rule, action, maker))
      .map(rule => filledIn(rule, properties))
    if (rules.includes(undefined)) return wrongState
    return rules.map(rule => rule!).filter(rule => !isLeftOut(rule, maker))
  }

  /** Unknown names in rules are recorded once an hour. */
  private tellsUnresolved(activity: Activity): void {
    const { asset, maker, label } = activity.made
    if (!asset || this.toldOf.has(asset)) return
    const rules = activity.waits().flatMap(step => activity.saidAt(step).rules)
    const unknown = rules.map(rule => unknownNames(rule, this.known()))
    const [users, groups] = [unknown.flatMap(each => each.users), unknown.flatMap(each => each.groups)]
    if (users.length + groups.length === 0) return
    this.toldOf.add(asset)
    const names = [users, groups].map(each => [...new Set(each)].toSorted().join())
    this.events.push(`warn:approval_identity_unresolved ${maker} ${label} ${names.join(' ')}`)
  }

  answers(by: Name, verb: Verb, activity: Activity, step: Decidable): Answer {
    return answerTo(this.decider(by, activity.made.asset), verb, step)
  }

  /** Response and effect. */
  decides(by: Name, verb: Verb, activity: Activity, step: Step, message?: string): Answer {
    const answer = this.answers(by, verb, activity, activity.decidable(step))
    this.now += 1
    const where = `${activity.made.label} ${step.path}`
    const told = message === undefined ? '' : ` ${message}`
    if (answer.status !== 200) {
      const { denied } = answer
      if (denied) this.events.push(`audit:${activity.stepsAre}:${verb}:denied ${by} ${where} ${denied}${told}`)
      return answer
    }
    const goesOn = verb === 'approve' ? ` ${answer.goesOn}` : ''
    this.events.push(`audit:${activity.stepsAre}:${verb} ${by} ${where}${goesOn}${told}`)
    this.events.push(`api:${activity.stepsAre}:${verb} ${by} ${where}`)
    if (verb === 'reject') activity.rejects(step, by, message)
    else if (verb === 'continue') activity.continues(step, by)
    else {
      this.approvedAt.set(keyOf(activity, step, by), this.now)
      activity.approves(step, { by, message, rules: answer.rules })
    }
    return answer
  }

  /** Responses to each of two consecutive decisions, without their effects. */
  inTurn(activity: Activity, step: Step, those: readonly { by: Name; verb: Verb }[]): Answer[] {
    let at = activity.decidable(step)
    return those.map(({ by, verb }) => {
      const answer = this.answers(by, verb, activity, at)
      if (answer.status === 200) at = decidedSo(at, by, verb, answer)
      return answer
    })
  }

  can(by: Name, activity: Activity, step: Step): Verb[] {
    return can(this.decider(by, activity.made.asset), activity.decidable(step))
  }

  /** Steps that they can approve or continue: a right to reject alone does not make a step wait for them. */
  waitingFor(by: Name, activity: Activity): Step[] {
    return activity.steps().filter(step => this.can(by, activity, step).some(verb => verb !== 'reject'))
  }
}

const keyOf = (activity: Activity, step: Step, by: string): string => `${activity.made.label} ${step.path} ${by}`

const wrongState: Refused = { status: 409, code: 'wrong-state' }
