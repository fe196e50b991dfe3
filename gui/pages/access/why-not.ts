import { useMe } from '../../api/session.tsx'
import { access as texts } from '../../messages/access.ts'
import { maySomewhere } from '../../shell/rights.ts'

/**
 * Why the user can write no policy at all: no rule lets them change anything, and so no policies either. Whether the
 * rules of one policy allow it, the service says.
 */
export const useWhyNotWritePolicies = (): string | undefined =>
  maySomewhere(useMe(), 'update') ? undefined : texts.needsPolicies
