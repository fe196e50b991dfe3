import type { Answer } from '../support/api.ts'
import type { Activity } from './activity.ts'
import type { Answer as Predicted, Verb } from './deciding.ts'
import type { Wanted } from './judge.ts'
import { type Name, people } from './people.ts'
import { type Action, workflow } from './plans.ts'
import type { Play } from './play.ts'

/** A deed; returns who should read the state afterwards, or nothing if it was impossible. */
export type Deed = (play: Play) => Promise<readonly Name[] | undefined>

const verbs: readonly Verb[] = ['approve', 'approve', 'approve', 'approve', 'reject', 'continue']

export async function beginsRun(play: Play): Promise<readonly Name[]> {
  const by = anyMaker(play)
  play.tells(`${by} begins a run`)
  const attributes = { parent_path: '/projects/shop', workflow_code: workflow }
  const answer = await play.world.as(by).post('/api/workflow_runs', attributes)
  play.isMade(answer, play.judge.begins(by))
  return [by]
}

/** Usually drawn from those who may. */
const anyMaker = ({ chance, anyone }: Play): Name => chance.of(['ann', 'ben', 'admin', anyone()] as const)

const actionNames: readonly Action[] = ['deploy', 'deploy', 'guarded', 'paired', 'asks']

export async function makesChange(play: Play): Promise<readonly Name[]> {
  const { chance, judge, world } = play
  const wanted: Wanted = {
    by: anyMaker(play),
    asset: chance.of(['front', 'back'] as const),
    action: chance.of(actionNames),
  }
  play.tells(`${wanted.by} makes ${wanted.action} on ${wanted.asset}`)
  const { by, asset, action } = wanted
  const answer = await world.as(by).post(`/api${world.assetPath(asset)}/changes`, { action })
  play.isMade(answer, judge.makes(wanted))
  return [by]
}

export async function retriesChange(play: Play): Promise<readonly Name[] | undefined> {
  const { chance, judge, world } = play
  const changes = judge.activities.filter(({ made }) => made.action)
  if (changes.length === 0) return undefined
  const before = chance.of(mostly(chance, changes.filter(isApprovedAndRetryable), changes))
  const approvers = before.waits().flatMap(step => before.saidAt(step).approvals.map(each => each.by as Name))
  const by = approvers.length > 0 && chance.is(0.3) ? chance.of(approvers) : anyMaker(play)
  const isSame = chance.is(0.8)
  const { label, asset } = before.made
  play.tells(`${by} retries ${label}${isSame ? '' : ', otherwise'}`)
  const attributes = { retry: true, ...(!isSame && { property_overrides: { other: play.told.length } }) }
  const relationships = { change: { data: { type: 'change', id: play.ids.get(label)! } } }
  const raw = JSON.stringify({ data: { attributes, relationships } })
  const answer = await world.as(by).send('POST', `/api${world.assetPath(asset!)}/changes`, { raw })
  play.isMade(answer, judge.retries(before, by, isSame))
  return [by]
}

/** Whether a change was approved and can be retried. */
const isApprovedAndRetryable = (change: Activity): boolean =>
  change.isOver &&
  change.judge.statusOfChange() !== 'success' &&
  change.waits().some(step => change.saidAt(step).approvals.length > 0)

const mostly = <T>(chance: Play['chance'], some: readonly T[], all: readonly T[]): readonly T[] =>
  some.length > 0 && chance.is(0.9) ? some : all

/** Usually a step that waits for a decision. */
function anyDecision({ chance, judge }: Play) {
  const all = judge.activities.flatMap(change => change.waits().map(step => ({ change, step })))
  if (all.length === 0) return undefined
  const waiting = all.filter(({ step }) => step.status === 'waiting')
  const one = chance.of(mostly(chance, waiting, all))
  const verb = chance.of(
    one.step.plan.kind === 'wait' ? ([...verbs, 'continue', 'continue', 'continue', 'continue'] as const) : verbs,
  )
  const message = chance.of([undefined, undefined, 'well', 'why not'])
  const able = people.filter(name => judge.can(name, one.change, one.step).includes(verb))
  return { ...one, verb, by: chance.of(chance.is(0.5) ? mostly(chance, able, people) : people), message }
}

export async function decides(play: Play): Promise<readonly Name[] | undefined> {
  const decision = anyDecision(play)
  return decision && decide(play, decision)
}

/**
 * Everyone who may approve a change does, and then it fails or is cancelled: the retry decides which approvals still
 * count.
 */
export async function isApprovedAndFails(play: Play): Promise<readonly Name[] | undefined> {
  const { chance, judge, world } = play
  const those = judge.activities.filter(each => each.made.action && each.isUnderWay && !each.isPaused)
  if (those.length === 0) return undefined
  const change = chance.of(those)
  for (const by of people)
    for (const step of change.waits())
      for (const verb of judge.can(by, change, step).filter(each => each !== 'reject'))
        await decide(play, { change, step, verb, by, message: undefined })
  await world.runs.settle()
  await play.works(change, 'error')
  if (!change.isOver) {
    play.agree((await world.runs.admin.delete(pathOf(play, change))).status, 204, 'a cancel')
    change.cancels()
  }
  await world.runs.settle()
  return change.isOver ? retriesChange(play) : []
}

async function decide(play: Play, decision: Decision): Promise<readonly Name[]> {
  const { change, step, verb, by, message } = decision
  play.tells(`${by}: ${verb} ${change.made.label} ${step.path}`)
  const answer = await asks(play, decision)
  const predicted = play.judge.decides(by, verb, change, step, message)
  play.agree(inShort(answer), inShort(predicted), answer.text)
  return [by]
}

type Decision = NonNullable<ReturnType<typeof anyDecision>>

const asks = (play: Play, { change, step, verb, by, message }: Decision): Promise<Answer> =>
  play.world.as(by).post(`${play.pathOf(change, step)}/${verb}`, message === undefined ? {} : { message })

const inShort = (answer: Answer | Predicted): readonly unknown[] => [
  answer.status,
  'body' in answer ? answer.body?.errors?.[0]?.code : 'code' in answer ? answer.code : undefined,
]

/** Two concurrent decisions: the result must be that of either order. */
export async function bothDecide(play: Play): Promise<readonly Name[] | undefined> {
  const decision = anyDecision(play)
  const readers = decision ? people.filter(name => play.judge.decider(name, decision.change.made.asset).mayRead) : []
  // A caller without the right to read gets the same response before and after; the audit trail only has an event for
  // an attempt before.
  if (!decision || readers.length === 0) return undefined
  const one = { ...decision, by: play.chance.of(readers) }
  const { change, step } = one
  const other = { ...one, by: play.chance.of(readers), verb: play.chance.of(verbs) }
  play.tells(`at once ${one.by}: ${one.verb}, ${other.by}: ${other.verb} ${change.made.label} ${step.path}`)
  const answers = (await Promise.all([one, other].map(each => asks(play, each)))).map(inShort)
  const turns = [
    [one, other],
    [other, one],
  ] as const
  const predicted = turns.map(([first, second]) => {
    const said = play.judge.inTurn(change, step, [first, second])
    return first === one ? said.map(inShort) : said.toReversed().map(inShort)
  })
  const at = predicted.findIndex(each => JSON.stringify(each) === JSON.stringify(answers))
  if (at < 0) play.agree(answers, predicted, 'two at once')
  for (const { by, verb, message } of turns[at]!) play.judge.decides(by, verb, change, step, message)
  return [one.by, other.by]
}

/** A decision that is concurrent with a cancel comes before it, or too late. */
export async function decidesInACancel(play: Play): Promise<readonly Name[] | undefined> {
  const decision = anyDecision(play)
  if (decision?.step.status !== 'waiting' || !may.cancel(decision.change)) return undefined
  const { change, step, verb, by, message } = decision
  const { judge, world } = play
  if (!judge.decider(by, change.made.asset).mayRead) return undefined
  play.tells(`at once ${by}: ${verb} ${change.made.label} ${step.path}, and a cancel`)
  const [answer, cancelled] = await Promise.all([asks(play, decision), world.runs.admin.delete(pathOf(play, change))])
  const isLate = answer.status === 409 && judge.answers(by, verb, change, change.decidable(step)).status !== 409
  if (isLate) change.cancels()
  play.agree(inShort(answer), inShort(judge.decides(by, verb, change, step, message)), answer.text)
  const isEarly = cancelled.status === 409 && change.isOver
  play.agree(cancelled.status, isEarly ? 409 : 204, cancelled.text)
  if (!isLate && !isEarly) change.cancels()
  return [by]
}

const pathOf = ({ ids }: Play, { made }: Activity): string =>
  `/api/${made.action ? 'changes' : 'workflow_runs'}/${ids.get(made.label)}`

export async function works(play: Play): Promise<readonly Name[] | undefined> {
  const { chance, judge } = play
  const ready = judge.activities.filter(change => change.mayBeTaken() || change.judge.running().length > 0)
  if (ready.length === 0) return undefined
  const change = chance.of(ready)
  const ended = chance.of(['success', 'error', 'error'] as const)
  play.tells(`${change.made.label} works: ${ended}`)
  await play.works(change, ended)
  return []
}

type Asking = 'cancel' | 'pause' | 'resume'
const may: Readonly<Record<Asking, (change: Activity) => boolean>> = {
  cancel: change => change.isUnderWay,
  pause: change => change.isUnderWay && !change.isRejected && !change.isPaused,
  resume: change => change.isUnderWay && change.isPaused,
}

export async function asksOf(play: Play): Promise<readonly Name[] | undefined> {
  const { chance, judge, world } = play
  const what = chance.of(['cancel', 'pause', 'resume', 'resume'] as const)
  const those = judge.activities.filter(may[what])
  if (those.length === 0) return undefined
  const change = chance.of(those)
  play.tells(`${what} ${change.made.label}`)
  const path = pathOf(play, change)
  const { admin } = world.runs
  const { status, text } = await (what === 'cancel' ? admin.delete(path) : admin.post(`${path}/${what}`, {}))
  play.agree(status, what === 'cancel' ? 204 : 200, text)
  change[`${what}s`]()
  return []
}
