import type { Activity, Said } from './activity.ts'
import type { Verb } from './deciding.ts'
import type { Judge } from './judge.ts'
import type { Name } from './people.ts'
import { ruleInWords } from './rules.ts'

/** View of a user on approvals, as text, by subject. */
export type Facts = Record<string, unknown>

/** Steps listed as waiting for the caller. */
export const types = ['steps', 'workflow_steps', 'changes', 'workflow_runs', 'activities'] as const

/** State of the judge. */
export function shouldSee(judge: Judge, by: Name): Facts {
  const seen = judge.activities.filter(({ made }) => judge.decider(by, made.asset).mayRead)
  const facts: Facts = Object.fromEntries(types.map(type => [`${type} that wait`, waitFor(judge, by, seen, type)]))
  for (const activity of seen) Object.assign(facts, ofAll(judge, by, activity))
  return facts
}

function waitFor(judge: Judge, by: Name, seen: readonly Activity[], type: (typeof types)[number]): string[] {
  const isOfType = ({ stepsAre }: Activity) =>
    type === 'activities' || (stepsAre === 'steps') === (type === 'steps' || type === 'changes')
  const those = seen.filter(isOfType)
  const labels =
    type === 'steps' || type === 'workflow_steps'
      ? those.flatMap(activity => judge.waitingFor(by, activity).map(({ path }) => `${activity.made.label} ${path}`))
      : those.filter(activity => judge.waitingFor(by, activity).length > 0).map(({ made }) => made.label)
  return labels.toSorted()
}

function ofAll(judge: Judge, by: Name, activity: Activity): Facts {
  const { label, maker, rules } = activity.made
  const said = activity.waits().map(step => ({ path: step.path, ...activity.saidAt(step) }))
  const { reported, steps } = activity.judge.verdict()
  const told = (path: string, who: string, message: string | undefined) => `${path} ${who} ${message ?? null}`
  const facts: Facts = {
    [label]: {
      status: reported,
      maker,
      rules: rules.map(ruleInWords),
      approved: said
        .flatMap(({ path, approvals }) => approvals.map(each => told(path, each.by, each.message)))
        .toSorted(),
      rejected: said.flatMap(({ path, rejection: no }) => (no ? [told(path, no.by, no.message)] : [])),
    },
  }
  for (const step of activity.steps())
    facts[`${label} ${step.path}`] = ofStep(activity.saidAt(step), steps[step.path]![1]!, judge.can(by, activity, step))
  return facts
}

const ofStep = ({ rules, approvals, rejection, continuedBy }: Said, status: string, can: Verb[]) => ({
  status,
  can,
  rules: rules.map(ruleInWords),
  approved: approvals.map(({ by, message, rules: places }) => [by, message ?? null, places]),
  rejected: rejection ? [[rejection.by, rejection.message ?? null]] : [],
  continued: continuedBy,
})
