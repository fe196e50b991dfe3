import { useMemo } from 'react'
import { run as texts } from '../../messages/run.ts'
import { type Plan, planTree, skipPathsOf } from './plan.ts'
import { Fact, PlanFacts, PlanSteps } from './plan-parts.tsx'
import { PropertyChanges } from './property-changes-view.tsx'
import styles from './run-sheet.module.css'

interface PlanViewProps {
  readonly plan: Plan
  /** Whether a newer one is being read. */
  readonly isBusy: boolean
  /** Full paths of the steps that were approved in the change that is retried. */
  readonly approved?: readonly string[]
  /** Adds a step to what is skipped, or removes it. */
  readonly onToggleStep: (skipPath: string) => void
}

/** Plan of a change: what it runs, whom and what it waits for, and how its properties differ from the last run. */
export function PlanView({ plan, isBusy, approved, onToggleStep }: PlanViewProps) {
  const tree = useMemo(() => planTree(plan, skipPathsOf(plan)), [plan])
  return (
    <section className={styles['plan']} aria-label={texts.plan} aria-busy={isBusy}>
      <PlanFacts outlook={plan} tree={tree} {...(approved && { approved })}>
        {plan.template_version !== null && <Fact name={texts.version}>{plan.template_version}</Fact>}
        <Fact name={texts.commit}>
          <code title={plan.commit_sha}>{plan.commit_sha.slice(0, 8)}</code>
        </Fact>
      </PlanFacts>
      <PlanSteps tree={tree} isRetry={plan.kept_steps !== undefined} onToggleStep={onToggleStep} />
      <PropertyChanges plan={plan} />
    </section>
  )
}
