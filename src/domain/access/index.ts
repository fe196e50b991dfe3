import { sql } from '#platform/db/sql.ts'
import type { Domain } from '#platform/domain.ts'
import { accessSummary } from './access-summary.view.ts'
import { authorisationCheck } from './authorisation-check.view.ts'
import { authorisationChecks } from './authorisation-checks.view.ts'
import { authorisationSummary } from './authorisation-summary.view.ts'
import { ofDestroyedNodes } from './destroyed-nodes.tx.ts'
import { policyCommands } from './policy.commands.ts'
import { assignmentResource, policyResource, policyRuleResource, ruleResource } from './policy.resource.ts'
import { policyListCommands } from './policy-lists.commands.ts'
import { policyTieCommands } from './policy-tie.commands.ts'
import { isSuperuser } from './rights.store.ts'
import { ruleCommands } from './rule.commands.ts'

export { ensureFirstSuperuser } from './first-superuser.tx.ts'
export { keepLastSuperuser } from './last-superuser.store.ts'
export { resetPassword } from './reset-password.tx.ts'
export { rightsFrom } from './rights.sql.ts'
export { isSuperuser, rightsOf, rightsOfCreator, rightsSource, superusers } from './rights.store.ts'

/** Domain of authorization: policies of rules, and their assignment to users and groups. */
export const accessDomain: Domain = {
  name: 'access',
  resources: [policyResource, ruleResource, policyRuleResource, assignmentResource],
  commands: [...policyCommands, ...ruleCommands, ...policyTieCommands, ...policyListCommands],
  views: [accessSummary, authorisationCheck, authorisationChecks, authorisationSummary],
  extends: {
    ...ofDestroyedNodes,
    user: {
      extra: { superuser: isSuperuser(sql`u.id`) },
      meta: row => ({ superuser: row['superuser'] }),
    },
  },
}
