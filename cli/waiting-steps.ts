import { isFinal, type Resource, type Sluice } from '../client/sluice.ts'

/** Approval rule of a step, as the API returns it. */
interface ApprovalRule {
  readonly user_names?: readonly string[]
  readonly ldap_groups?: readonly string[]
  readonly required_approvals?: number
}

interface StepAttributes {
  readonly full_path: string
  readonly status_code: string
  readonly step_type: string
  readonly requires_approval_from: readonly ApprovalRule[] | ApprovalRule | null
  readonly input_arguments?: readonly { readonly name: string }[] | null
}

/** Maximum number of steps to list. */
const maximumSteps = 10

/** Describes the steps of a change or run that wait for people, with the command that continues each. */
export async function waitingSteps(sluice: Sluice, path: string): Promise<string[]> {
  const query = { 'filter[status_code_start]': 'waiting', 'filter[sorts]': 'tree_order', limit: maximumSteps }
  const steps = await sluice.list<StepAttributes>(`${path}/steps`, query)
  return steps.flatMap(step => {
    const line = lineOf(step)
    return line === undefined ? [] : [line]
  })
}

/** Paths of the unfinished changes and runs that a workflow run started. */
export async function unfinishedChildren(sluice: Sluice, runPath: string): Promise<string[]> {
  const query = { 'filter[status_code_in][]': ['running', 'waiting', 'waiting_for_approval'], limit: 100 }
  const steps = await sluice.list<StepAttributes>(`${runPath}/steps`, query)
  const made = steps.flatMap(({ relationships = {} }) =>
    ['changes', 'workflow_runs'].flatMap(type =>
      [relationships[type]?.data ?? []].flat().map(({ id }) => `/api/${type}/${id}`),
    ),
  )
  const unfinished = await Promise.all(
    made.slice(0, maximumSteps).map(async path => {
      const record = await sluice.find<{ status_code: string }>(path)
      return record && !isFinal(record.attributes.status_code) ? [path] : []
    }),
  )
  return unfinished.flat()
}

function lineOf({ id, attributes }: Resource<StepAttributes>): string | undefined {
  const { full_path: path, status_code: status, step_type: type, requires_approval_from: rules } = attributes
  if (status === 'waiting_for_approval') {
    const who = [rules ?? []].flat().map(approversOf).join(', and ')
    return `${path} needs ${who || 'an approval'}. Approve it: sluice steps approve ${id}`
  }
  if (type !== 'input' && type !== 'wait') return undefined
  const names = (attributes.input_arguments ?? []).map(({ name }) => name)
  const values = names.map(name => ` ${name}=…`).join('')
  const what = names.length > 0 ? `needs ${names.join(', ')}` : 'needs to be continued'
  return `${path} ${what}. Continue it: sluice steps continue ${id}${values}`
}

/** Describes a rule: `2 approvals by ann, bob or the group ops`. */
function approversOf({
  user_names: users = [],
  ldap_groups: groups = [],
  required_approvals: count = 1,
}: ApprovalRule) {
  const who = [...users, ...groups.map(group => `the group ${group}`)]
  const last = who.pop()
  const named = who.length > 0 ? `${who.join(', ')} or ${last}` : (last ?? 'any user')
  return `${count === 1 ? 'an approval' : `${count} approvals`} by ${named}`
}
