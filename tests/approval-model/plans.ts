import type { Plan } from '../execution-model/plan.ts'
import { type Asked, filledIn, type Properties, type Rule } from './rules.ts'

/** What changes do here, as the repository has it and as the judge of execution reads it. */

export const actions = {
  deploy: 'run: "true"',
  guarded: 'steps: [{ wait: Look, approvers: { user_names: [EVE], ldap_groups: [ops] } }, deploy]',
  paired: `run_as: parallel, steps: [
    { wait: One, approvers: { user_names: [ann, ben, cat], required_approvals: 2 }, steps: [deploy] },
    { wait: Two, approvers: { user_names: [dan, admin], ldap_groups: [Leads] } }]`,
  asks: 'steps: [{ wait: Look }, deploy]',
} as const
export type Action = keyof typeof actions

const step = (name: string, kind: Plan['kind'], children: readonly Plan[] = [], parallel = false): Plan => ({
  name,
  kind,
  parallel,
  children,
  ignoreFailure: false,
  resetOnRetry: false,
  approvals: 1,
  hasDefault: false,
})

const deploy = step('deploy', 'script')

export const plans: Readonly<Record<Action, Plan>> = {
  deploy,
  guarded: step('guarded', 'stage', [step('Look', 'approval'), deploy]),
  paired: step('paired', 'stage', [step('One', 'approval', [deploy]), step('Two', 'approval')], true),
  asks: step('asks', 'stage', [step('Look', 'wait'), deploy]),
}

/** Above everything that a change does. */
export const approvalAbove = (plan: Plan): Plan => step('Approval', 'approval', [plan])

const ask = (users: readonly string[], groups: readonly string[] = [], required = 1): readonly Asked[] => [
  { users, groups, required, mayApproveOwn: false },
]

/** Of approvals within actions, by action and name. */
const askedWithin: Readonly<Record<string, readonly Asked[]>> = {
  'guarded Look': ask(['EVE'], ['ops']),
  'paired One': ask(['ann', 'ben', 'cat'], [], 2),
  'paired Two': ask(['dan', 'admin'], ['Leads']),
}

/** A workflow that waits and does nothing else. */
const approvals: Readonly<Record<string, Omit<Rule, 'change_filter'>>> = {
  Ready: { user_names: ['{{ owners }}', 'Dan'], ldap_groups: ['OPS'] },
  Sure: { user_names: ['ann', 'ben', 'cat'], required_approvals: 2 },
}
export const workflow = 'sign'
// JSON is YAML.
export const workflowSource = JSON.stringify({
  steps: ['Ready', 'Look', 'Sure'].map(name => ({
    type: 'wait',
    name,
    ...(approvals[name] && { requires_approval_from: approvals[name] }),
  })),
})
export const workflowPlan: Plan = step(workflow, 'stage', [
  step('Ready', 'approval'),
  step('Look', 'wait'),
  step('Sure', 'approval'),
])

/** What an approval asks that stands in an action or a workflow; undefined where a property names nobody. */
export function askedAt(action: string, name: string, properties: Properties): readonly Asked[] | undefined {
  const within = askedWithin[`${action} ${name}`]
  if (within) return within
  // A workflow takes a number for its text.
  const owners = typeof properties.owners === 'number' ? String(properties.owners) : properties.owners
  const asked = filledIn({ ...approvals[name]!, change_filter: { actions: 'all' } }, { ...properties, owners })
  return asked && [asked]
}
