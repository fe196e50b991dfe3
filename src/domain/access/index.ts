import { sql } from '#platform/db/sql.ts'
import type { Domain } from '#platform/domain.ts'
import { ofDestroyedNodes } from './destroyed-nodes.ts'
import { policyCommands } from './policy.commands.ts'
import { assignmentResource, policyResource, policyRuleResource, ruleResource } from './policy.resource.ts'
import { policyTieCommands } from './policy-tie.commands.ts'
import { isSuperuser } from './rights.store.ts'
import { ruleCommands } from './rule.commands.ts'

export { ensureFirstSuperuser } from './first-superuser.ts'
export { isSuperuser, rightsOf, rightsSource } from './rights.store.ts'
export { type Granted, rightsFrom } from './rights.ts'

/** Who may do what: policies of rules, and to whom they are assigned. */
export const accessDomain: Domain = {
  name: 'access',
  resources: [policyResource, ruleResource, policyRuleResource, assignmentResource],
  commands: [...policyCommands, ...ruleCommands, ...policyTieCommands],
  extends: {
    ...ofDestroyedNodes,
    user: {
      extra: { superuser: isSuperuser(sql`u.id`) },
      meta: row => ({ superuser: row['superuser'] }),
    },
  },
}
