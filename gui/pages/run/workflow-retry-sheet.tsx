import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { listKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import type { Resource, WorkflowRun } from '../../api/records.ts'
import { CommandLine } from '../../components/command/command-line.tsx'
import { Select, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { run as texts } from '../../messages/run.ts'
import { retryRunCommand } from './command-line.ts'
import { Difference } from './difference.tsx'
import { approvedSteps } from './plan.ts'
import { InputFields } from './run-fields.tsx'
import { withToggledStep } from './run-form.ts'
import styles from './run-sheet.module.css'
import { originalOf, useInputs } from './use-inputs.ts'
import { hasMoved } from './use-plan.ts'
import { runPlannedWorkflow, useWorkflowPlan, type WorkflowRunRequest } from './use-workflow-plan.ts'
import { WorkflowPlanView } from './workflow-plan-view.tsx'
import { retryRunAttributes, type WorkflowRetryForm } from './workflow-retry-form.ts'

/** Attributes of a run that its retry begins with. */
export type RetriedRun = Resource<
  Pick<
    WorkflowRun,
    'workflow_code' | 'version' | 'node_path' | 'skip_steps' | 'property_overrides' | 'metadata' | 'approved_by'
  >
>

interface WorkflowRetrySheetProps {
  readonly retryOf: RetriedRun
  readonly onClose: () => void
}

const attributesWithFields = ['version', 'run_at', 'skip_steps', 'property_overrides', 'metadata']

/**
 * Dialog that retries a workflow run: it shows which steps are kept, which run again and who is asked again, for the
 * inputs as they are changed, and creates the run that was shown.
 */
export function WorkflowRetrySheet({ retryOf, onClose }: WorkflowRetrySheetProps) {
  const { workflow_code: code, node_path: project, version } = retryOf.attributes
  const [original] = useState(() => originalOf(retryOf.attributes))
  const [form, setForm] = useState<WorkflowRetryForm>({ ...original.form, version, notBefore: '' })
  const change = (more: Partial<WorkflowRetryForm>) => setForm(now => ({ ...now, ...more }))
  const { rested, isRested, overrides, problems } = useInputs(form)
  const request = useMemo(
    (): WorkflowRunRequest | undefined =>
      overrides && Object.keys(problems).length === 0
        ? {
            path: '/api/workflow_runs',
            attributes: retryRunAttributes(rested, overrides, { ...original, version }),
            retryOf: retryOf.id,
          }
        : undefined,
    [rested, overrides, problems, original, version, retryOf.id],
  )
  const planning = useWorkflowPlan(request)
  const plan = planning.error || planning.isPlaceholderData ? undefined : planning.data
  const cache = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const running = useMutation({
    mutationFn: (what: { request: WorkflowRunRequest; plan: NonNullable<typeof plan> }) =>
      runPlannedWorkflow(what.request, what.plan),
    onSuccess: async ({ id }) => {
      toast.done(texts.started(code))
      void cache.invalidateQueries({ queryKey: listKey('/api/activities') })
      // In place of the address of the dialog: the Back button should not offer to run the same again.
      await navigate({ to: '/activities/$id', params: { id }, replace: true })
    },
    onError: error => {
      if (hasMoved(error)) void planning.refetch()
    },
  })
  const faults = fieldFaults(running.error ?? planning.error, attributesWithFields)
  const errorOf = (attribute: string) => problems[attribute] ?? faults.fields[attribute]
  const whyNot = request ? undefined : Object.keys(problems).length > 0 ? texts.fixFirst : texts.planning

  return (
    <FormDialog
      kind="sheet"
      title={texts.retryTitle(code)}
      description={texts.retryRunDescription(project)}
      action={form.notBefore === '' ? texts.retryNow : texts.runLater}
      busy={running.isPending}
      disabledReason={whyNot ?? (!isRested ? texts.planning : plan ? undefined : texts.planFirst)}
      error={hasMoved(running.error) ? undefined : fieldFaults(running.error, attributesWithFields).other}
      onSubmit={() => request && plan && running.mutate({ request, plan })}
      onClose={onClose}
      isChecked
    >
      <div className={styles['pair']}>
        <div className={styles['group']}>
          <VersionField path={`/api${project}/workflows/${code}`} original={version} form={form} onChange={change} />
          <Difference
            of={texts.workflowVersion}
            before={texts.versionNumber(version)}
            now={texts.versionNumber(form.version)}
            onRestore={() => change({ version })}
          />
        </div>
        <TextField
          label={texts.notBefore}
          hint={texts.notBeforeHint(userTimeZone())}
          type="datetime-local"
          value={form.notBefore}
          onChange={notBefore => change({ notBefore })}
          error={errorOf('run_at')}
        />
      </div>
      <InputFields
        form={form}
        onChange={change}
        errorOf={errorOf}
        skipsByName
        original={original}
        readOverrides={overrides}
      />
      {hasMoved(running.error) && (
        <p className={styles['notice']} role="alert">
          {texts.moved}
        </p>
      )}
      <WorkflowPlanView
        planning={planning}
        whyNot={whyNot}
        approved={approvedSteps(retryOf.attributes.approved_by)}
        onToggleStep={name => change({ skipSteps: withToggledStep(form.skipSteps, name) })}
      />
      {request && (
        <div className={styles['group']}>
          <h3>{general.asCommand}</h3>
          <CommandLine command={retryRunCommand(retryOf.id, request.attributes)} />
        </div>
      )}
    </FormDialog>
  )
}

interface VersionFieldProps {
  /** Path of the workflow in the API. */
  readonly path: string
  readonly original: number
  readonly form: WorkflowRetryForm
  readonly onChange: (change: Partial<WorkflowRetryForm>) => void
}

/** Version whose steps run; only the original's where the user may not read the workflow. */
function VersionField({ path, original, form, onChange }: VersionFieldProps) {
  const { records } = useList<'workflow_version'>(`${path}/versions`, {
    'filter[draft_eq]': false,
    'filter[sorts]': 'version desc',
    'fields[workflow_version]': 'version',
  })
  const others = records.map(({ attributes }) => attributes.version).filter(each => each !== original)
  return (
    <Select
      label={texts.workflowVersion}
      hint={form.version === original ? undefined : texts.otherVersionHint}
      value={String(form.version)}
      onChange={value => onChange({ version: Number(value) })}
      options={[
        [String(original), texts.originalVersion(original)],
        ...others.map(each => [String(each), texts.versionNumber(each)] as const),
      ]}
    />
  )
}
