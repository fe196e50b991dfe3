import { type ReactNode, useEffect } from 'react'
import { decision as texts } from '../../messages/decision.ts'
import { Button, type ButtonProps } from '../button/button.tsx'
import type { Decision, StepType, WaitingRecord } from './decision-dialog.tsx'
import { useDecisionScope } from './decision-scope.tsx'

interface DecisionButtonsProps {
  readonly type: StepType
  readonly step: WaitingRecord
  readonly size?: ButtonProps['size']
  /** Subject of the decision, which the dialog shows. */
  readonly about?: ReactNode
}

const decisions: readonly Decision[] = ['approve', 'continue', 'reject']

/** Decisions that the caller may make on a step, from its `meta.can`. */
const decisionsOf = (step: WaitingRecord): readonly Decision[] => {
  const can = step.meta?.['can']
  return Array.isArray(can) ? decisions.filter(each => can.includes(each)) : []
}

/** Buttons for the decisions on a waiting step; each opens its dialog. Nothing if the caller may make none. */
export function DecisionButtons({ type, step, size, about }: DecisionButtonsProps) {
  const { opened, open } = useDecisionScope()
  // The dialog shows the approvals that come in while it is open.
  useEffect(() => {
    if (opened?.step.id === step.id && opened.step !== step) open({ ...opened, step })
  }, [opened, open, step])
  return decisionsOf(step).map(decision => (
    <Button
      key={decision}
      data-decision={decision}
      variant={decision === 'reject' ? 'danger' : 'primary'}
      {...(size && { size })}
      onClick={() => open({ type, step, decision, about })}
    >
      {texts.open[decision]}
    </Button>
  ))
}
