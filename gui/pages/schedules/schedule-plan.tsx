import { useMemo } from 'react'
import { ErrorState, Skeleton } from '../../components/state/state.tsx'
import { run } from '../../messages/run.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import type { Data } from '../configuration/data.ts'
import type { Plan } from '../run/plan.ts'
import { PlanView } from '../run/plan-view.tsx'
import { withToggledStep } from '../run/run-form.ts'
import { isUnplanned, usePlan } from '../run/use-plan.ts'
import { useWorkflowPlan } from '../run/use-workflow-plan.ts'
import { WorkflowPlanView } from '../run/workflow-plan-view.tsx'
import { changeOf, runOf, type ScheduleForm } from './schedule-form.ts'
import styles from './schedules-page.module.css'

interface SchedulePlanProps {
  readonly form: ScheduleForm
  /** The form once typing rests, and its property overrides as read. */
  readonly rested: ScheduleForm
  readonly overrides: Data | undefined
  /** Why there is nothing to plan, such as an error in a field. */
  readonly whyNot: string | undefined
  readonly onChange: (more: Partial<ScheduleForm>) => void
}

/** Plan of what a schedule would run if it were due now. */
export const SchedulePlan = (props: SchedulePlanProps) =>
  props.rested.kind === 'workflow' ? <RunPlan {...props} /> : <ChangePlan {...props} />

/** Plan of the change of a schedule. */
export function useChangePlan({ rested, overrides }: Pick<SchedulePlanProps, 'rested' | 'overrides'>) {
  const request = useMemo(
    () => (rested.kind === 'action' && overrides ? changeOf(rested, overrides) : undefined),
    [rested, overrides],
  )
  return { request, planning: usePlan(request) }
}

function ChangePlan({ form, rested, overrides, whyNot, onChange }: SchedulePlanProps) {
  const { request, planning } = useChangePlan({ rested, overrides })
  return (
    <section className={styles['plan']} aria-label={texts.plan}>
      <h3>{texts.plan}</h3>
      <p className={styles['soft']}>{texts.planDetail}</p>
      {whyNot !== undefined || !request ? (
        <p className={styles['soft']}>{whyNot ?? run.noPlanYet}</p>
      ) : isUnplanned(planning.error) ? (
        <p className={styles['soft']}>{texts.unplanned}</p>
      ) : planning.error ? (
        <ErrorState error={planning.error} onRetry={() => void planning.refetch()} />
      ) : planning.data ? (
        <Shown plan={planning.data} isBusy={planning.isFetching} form={form} onChange={onChange} />
      ) : (
        <Skeleton rows={4} />
      )}
    </section>
  )
}

interface ShownProps extends Pick<SchedulePlanProps, 'form' | 'onChange'> {
  readonly plan: Plan
  readonly isBusy: boolean
}

const Shown = ({ plan, isBusy, form, onChange }: ShownProps) => (
  <PlanView
    plan={plan}
    isBusy={isBusy}
    onToggleStep={path => onChange({ skipSteps: withToggledStep(form.skipSteps, path) })}
  />
)

function RunPlan({ form, rested, overrides, whyNot, onChange }: SchedulePlanProps) {
  const request = useMemo(() => (overrides ? runOf(rested, overrides) : undefined), [rested, overrides])
  const planning = useWorkflowPlan(request)
  return (
    <section className={styles['plan']} aria-label={texts.plan}>
      <WorkflowPlanView
        planning={planning}
        whyNot={whyNot ?? (request ? undefined : texts.noWorkflowYet)}
        onToggleStep={name => onChange({ skipSteps: withToggledStep(form.skipSteps, name) })}
      />
      <p className={styles['soft']}>{texts.planDetail}</p>
    </section>
  )
}
