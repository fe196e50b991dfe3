import { useMemo } from 'react'
import { ErrorState, Skeleton } from '../../components/state/state.tsx'
import { run as texts } from '../../messages/run.ts'
import { planTree } from './plan.ts'
import { Fact, PlanFacts, PlanSteps } from './plan-parts.tsx'
import styles from './run-sheet.module.css'
import type { useWorkflowPlan } from './use-workflow-plan.ts'
import { skipNameOf, stepPlanOf, type WorkflowPlan } from './workflow-plan.ts'

interface WorkflowPlanViewProps {
  readonly planning: ReturnType<typeof useWorkflowPlan>
  /** Why there is nothing to plan; undefined while there is. */
  readonly whyNot: string | undefined
  /** Full paths of the steps that were approved in the run that is retried. */
  readonly approved?: readonly string[]
  /** Adds the name of a step to what is skipped, or removes it. */
  readonly onToggleStep: (name: string) => void
}

/** Plan of a workflow run with its heading, or why there is none. */
export function WorkflowPlanView({ planning, whyNot, ...plan }: WorkflowPlanViewProps) {
  return (
    <>
      <h3>{texts.plan}</h3>
      {whyNot !== undefined ? (
        <p className={styles['hint']}>{whyNot}</p>
      ) : planning.error ? (
        <ErrorState error={planning.error} onRetry={() => void planning.refetch()} />
      ) : planning.data ? (
        <Planned {...plan} plan={planning.data} isBusy={planning.isFetching} />
      ) : (
        <Skeleton rows={5} />
      )}
    </>
  )
}

interface PlannedProps extends Pick<WorkflowPlanViewProps, 'approved' | 'onToggleStep'> {
  readonly plan: WorkflowPlan
  readonly isBusy: boolean
}

function Planned({ plan, isBusy, approved, onToggleStep }: PlannedProps) {
  const tree = useMemo(() => planTree(stepPlanOf(plan), skipNameOf), [plan])
  return (
    <section className={styles['plan']} aria-label={texts.plan} aria-busy={isBusy}>
      <PlanFacts outlook={plan} tree={tree} {...(approved && { approved })}>
        <Fact name={texts.workflowVersion}>{plan.version}</Fact>
      </PlanFacts>
      <PlanSteps tree={tree} isRetry={plan.kept_steps !== undefined} onToggleStep={onToggleStep} />
    </section>
  )
}
