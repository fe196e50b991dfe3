import { createContext, type ReactNode, use, useState } from 'react'
import { type Decision, DecisionDialog, type StepType, type WaitingRecord } from './decision-dialog.tsx'

/** Decision whose dialog is open. */
interface OpenDecision {
  readonly type: StepType
  readonly step: WaitingRecord
  readonly decision: Decision
  /** Subject of the decision. */
  readonly about?: ReactNode
}

interface Scope {
  readonly opened: OpenDecision | undefined
  readonly open: (decision: OpenDecision) => void
}

const ScopeContext = createContext<Scope | undefined>(undefined)

/** The scope around the buttons of decisions. */
export function useDecisionScope(): Scope {
  const scope = use(ScopeContext)
  if (!scope) throw new Error('The buttons of decisions need a DecisionScope around what waits')
  return scope
}

/**
 * Holds the dialog of a decision above the list of what waits. A step that another user has decided leaves the list; the
 * dialog stays with what was typed, and says so when it is submitted.
 */
export function DecisionScope({ children }: { children: ReactNode }) {
  const [opened, open] = useState<OpenDecision>()
  return (
    <ScopeContext value={{ opened, open }}>
      {children}
      {opened && <DecisionDialog {...opened} onClose={() => open(undefined)} />}
    </ScopeContext>
  )
}
