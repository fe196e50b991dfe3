import { Checkbox } from '../../components/field/field.tsx'
import { run } from '../../messages/run.ts'
import { Options } from '../run/options.tsx'
import { InputFields, StartingStepField } from '../run/run-fields.tsx'
import { hasInputs, type ScheduleForm } from './schedule-form.ts'
import type { FieldsProps } from './what-fields.tsx'

interface ScheduleOptionsProps extends FieldsProps {
  /** Values that the form began with; options that it has are open. */
  readonly initial: ScheduleForm
  /** What is wrong with a field before the service is asked. */
  readonly problems: Readonly<Record<string, string>>
  /** Full paths of the steps of the plan, offered for the starting step. */
  readonly stepPaths: readonly string[]
}

/** Inputs of every run of a schedule: the first step, steps to skip, metadata and overrides. */
export function ScheduleOptions({ form, onChange, errors, initial, problems, stepPaths }: ScheduleOptionsProps) {
  const errorOf = (name: string) => problems[name] ?? errors[name]
  const isAction = form.kind === 'action'
  return (
    <Options isOpen={hasInputs(initial)}>
      {isAction && (
        <StartingStepField
          value={form.startingStep}
          onChange={startingStep => onChange({ startingStep })}
          error={errorOf('starting_step')}
          stepPaths={stepPaths}
        />
      )}
      <InputFields
        form={form}
        onChange={onChange}
        errorOf={errorOf}
        // Only once it is a node with a plan, not while it is typed.
        path={isAction && stepPaths.length > 0 ? form.node : undefined}
        skipsByName={!isAction}
      />
      {isAction && (
        <Checkbox
          label={run.autoContinue}
          checked={form.autoContinue}
          onChange={autoContinue => onChange({ autoContinue })}
        />
      )}
    </Options>
  )
}
