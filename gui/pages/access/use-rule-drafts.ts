import { useMemo, useState } from 'react'
import type { AuthorisationRule, Resource } from '../../api/records.ts'
import { changesOf, draftsOf, type RuleDraft, sameRules } from './rule-drafts.ts'

/** Rules of a policy with the ETag of the policy that they were read with. */
export interface StoredRules {
  readonly rules: readonly Resource<AuthorisationRule>[]
  readonly etag: string
}

interface RuleDrafts {
  /** The rules that the drafts began with. */
  readonly stored: readonly RuleDraft[]
  readonly drafts: readonly RuleDraft[]
  readonly setDrafts: (drafts: readonly RuleDraft[]) => void
  /** What a save replaces. */
  readonly base: StoredRules
  /** Begins again with these rules. */
  readonly adopt: (rules: StoredRules) => void
  /** Rules that somebody else has saved since, while there are unsaved changes. */
  readonly theirs: StoredRules | undefined
}

/** Rules as they are edited. What others save is shown at once as long as nothing is unsaved. */
export function useRuleDrafts(current: StoredRules): RuleDrafts {
  const [base, setBase] = useState(current)
  const [drafts, setDrafts] = useState<readonly RuleDraft[]>(() => draftsOf(current.rules))
  const stored = useMemo(() => draftsOf(base.rules), [base])
  const adopt = (rules: StoredRules) => {
    setBase(rules)
    setDrafts(draftsOf(rules.rules))
  }
  const isNewer = current.etag !== base.etag
  const isOther = isNewer && !sameRules(draftsOf(current.rules), stored)
  const isUnsaved = changesOf(stored, drafts) > 0
  if (isNewer && !isUnsaved) adopt(current)
  // Its name or its assignments have changed.
  else if (isNewer && !isOther) setBase(current)
  return { stored, drafts, setDrafts, base, adopt, theirs: isOther && isUnsaved ? current : undefined }
}
