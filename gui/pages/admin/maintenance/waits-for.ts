import { maintenance as texts } from '../../../messages/admin.ts'
import type { Awaited } from '../../../shell/maintenance.ts'

/** What a blocker waits for in words: `waits for approval by bob at the step Go live`. */
export function waitText(awaited: Awaited | null): string {
  if (awaited === null) return texts.goesOn
  const { kind, approvers } = awaited
  const by = awaited.by ?? ''
  if (kind === 'approval') {
    const people = [...(approvers?.user_names ?? []), ...(approvers?.ldap_groups ?? [])]
    return texts.waits.approval(by, people.join(', '))
  }
  return isKnown(kind) ? texts.waits[kind](by) : texts.waits.other(kind, by)
}

type Known = Exclude<keyof typeof texts.waits, 'approval' | 'other'>

const isKnown = (kind: string): kind is Known =>
  kind !== 'approval' && kind !== 'other' && Object.hasOwn(texts.waits, kind)
