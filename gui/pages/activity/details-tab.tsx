import { useSearch } from '@tanstack/react-router'
import { ActivityDetails } from './activity-details.tsx'
import styles from './activity-page.module.css'
import { StepDetails } from './step-details.tsx'
import type { PartProps } from './use-activity.ts'

/** Facts about the chosen step, and about the activity. */
export function DetailsTab({ stepCount, ...part }: PartProps & { stepCount: number }) {
  const { step } = useSearch({ from: '/activities/$id' })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused.
    <div className={styles['details']} tabIndex={0}>
      {step !== undefined && <StepDetails key={step} {...part} id={step} />}
      <ActivityDetails {...part} stepCount={stepCount} />
    </div>
  )
}
