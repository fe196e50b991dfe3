import { isFinal, type Resource, type Sluice } from '../client/sluice.ts'

/** One rule of who may approve a step, as the interface shows it. */
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

/** More at once are seldom, and nobody reads them. */
const mostLines = 10

/** Lines on the steps of a change or a run at `path` that wait for people, with the command by which each goes on. */
export async function waitingSteps(sluice: Sluice, path: string): Promise<string[]> {
  const query = { 'filter[status_code_start]': 'waiting', 'filter[sorts]': 'tree_order', limit: mostLines }
  const steps = await sluice.list<StepAttributes>(`${path}/steps`, query)
  return steps.flatMap(step => {
    const line = lineOf(step)
    return line === undefined ? [] : [line]
  })
}

/** Paths of the changes and runs beneath a workflow run that have not ended. */
export async function unendedBeneath(sluice: Sluice, runPath: string): Promise<string[]> {
  const query = { 'filter[status_code_in][]': ['running', 'waiting', 'waiting_for_approval'], limit: 100 }
  const steps = await sluice.list<StepAttributes>(`${runPath}/steps`, query)
  const made = steps.flatMap(({ relationships = {} }) =>
    ['changes', 'workflow_runs'].flatMap(type =>
      [relationships[type]?.data ?? []].flat().map(({ id }) => `/api/${type}/${id}`),
    ),
  )
  const unended = await Promise.all(
    made.slice(0, mostLines).map(async path => {
      const record = await sluice.find<{ status_code: string }>(path)
      return record && !isFinal(record.attributes.status_code) ? [path] : []
    }),
  )
  return unended.flat()
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
  const what = names.length > 0 ? `needs ${names.join(', ')}` : 'waits to be continued'
  return `${path} ${what}. Continue it: sluice steps continue ${id}${values}`
}

/** `2 approvals by ann, bob or the group ops` */
function approversOf({
  user_names: users = [],
  ldap_groups: groups = [],
  required_approvals: count = 1,
}: ApprovalRule) {
  const who = [...users, ...groups.map(group => `the group ${group}`)]
  const last = who.pop()
  const named = who.length > 0 ? `${who.join(', ')} or ${last}` : (last ?? 'somebody')
  return `${count === 1 ? 'an approval' : `${count} approvals`} by ${named}`
}
