import type { Plan } from '../execution-model/plan.ts'
import { type Asked, filledIn, type Properties, type Rule } from './rules.ts'

/** Trees of changes, for the repository and for the execution judge. */

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

/** Above all steps of a change. */
export const approvalAbove = (plan: Plan): Plan => step('Approval', 'approval', [plan])

const ask = (users: readonly string[], groups: readonly string[] = [], required = 1): readonly Asked[] => [
  { users, groups, required, mayApproveOwn: false },
]

/** Approvals within actions, by action and name. */
const askedWithin: Readonly<Record<string, readonly Asked[]>> = {
  'guarded Look': ask(['EVE'], ['ops']),
  'paired One': ask(['ann', 'ben', 'cat'], [], 2),
  'paired Two': ask(['dan', 'admin'], ['Leads']),
}

/** A workflow that only waits. */
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

/** Rules of an approval in an action or a workflow; undefined if a property names no approver. */
export function askedAt(action: string, name: string, properties: Properties): readonly Asked[] | undefined {
  const within = askedWithin[`${action} ${name}`]
  if (within) return within
  // A workflow accepts a number as a text.
  const owners = typeof properties.owners === 'number' ? String(properties.owners) : properties.owners
  const asked = filledIn({ ...approvals[name]!, change_filter: { actions: 'all' } }, { ...properties, owners })
  return asked && [asked]
}
