import { useState } from 'react'
import { decision as texts } from '../../messages/decision.ts'
import { Button, type ButtonProps } from '../button/button.tsx'
import { type Decision, DecisionDialog, type StepType, type WaitingRecord } from './decision-dialog.tsx'

interface DecisionButtonsProps {
  readonly type: StepType
  readonly step: WaitingRecord
  readonly size?: ButtonProps['size']
  readonly onDecided?: () => void
}

const decisions: readonly Decision[] = ['approve', 'continue', 'reject']

/** Decisions that the caller may make on a step, from its `meta.can`. */
const decisionsOf = (step: WaitingRecord): readonly Decision[] => {
  const can = step.meta?.['can']
  return Array.isArray(can) ? decisions.filter(each => can.includes(each)) : []
}

/** Buttons for the decisions on a waiting step; each opens its dialog. Nothing if the caller may make none. */
export function DecisionButtons({ type, step, size, onDecided }: DecisionButtonsProps) {
  const [open, setOpen] = useState<Decision>()
  return (
    <>
      {decisionsOf(step).map(each => (
        <Button
          key={each}
          variant={each === 'reject' ? 'danger' : 'primary'}
          {...(size && { size })}
          onClick={() => setOpen(each)}
        >
          {texts.open[each]}
        </Button>
      ))}
      {open && (
        <DecisionDialog
          type={type}
          step={step}
          decision={open}
          onClose={() => setOpen(undefined)}
          onDecided={onDecided}
        />
      )}
    </>
  )
}
