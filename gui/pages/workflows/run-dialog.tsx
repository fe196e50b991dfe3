import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useList, useRecord } from '../../api/queries.ts'
import type { Resource, Workflow } from '../../api/records.ts'
import { CommandLine } from '../../components/command/command-line.tsx'
import { Select, TextArea, TextField } from '../../components/field/field.tsx'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { faultText, Skeleton } from '../../components/state/state.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { general } from '../../messages/general.ts'
import { run as runTexts } from '../../messages/run.ts'
import { workflowRuns as texts, workflows } from '../../messages/workflows.ts'
import { linesOf, readMetadata } from '../run/metadata-lines.ts'
import { withToggledStep } from '../run/run-form.ts'
import { ScheduleLink } from '../run/schedule-link.tsx'
import { useRested } from '../run/use-inputs.ts'
import { hasMoved } from '../run/use-plan.ts'
import {
  runPlannedWorkflow,
  useWorkflowPlan,
  type WorkflowRunAttributes,
  type WorkflowRunRequest,
} from '../run/use-workflow-plan.ts'
import { WorkflowPlanView } from '../run/workflow-plan-view.tsx'
import { overridesOf, placeholdersIn, runCommand } from './placeholders.ts'
import styles from './workflow-page.module.css'
import { workflowPath } from './workflow-path.ts'

interface RunDialogProps {
  readonly project: string
  readonly workflow: Resource<Workflow>
  /** Newest published version. */
  readonly published: number
  readonly onClose: () => void
}

/** Dialog that runs a workflow with values for the properties that its definition refers to, and opens the run. */
export function RunDialog({ project, workflow, published, onClose }: RunDialogProps) {
  const { code, name } = workflow.attributes
  const path = workflowPath(project, code)
  const [version, setVersion] = useState(published)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [skip, setSkip] = useState('')
  const [metadata, setMetadata] = useState('')
  const [notBefore, setNotBefore] = useState('')
  const versions = useList<'workflow_version'>(`${path}/versions`, { 'filter[draft_eq]': false })
  const definition = useRecord<'workflow_version'>(`${path}/versions/${version}`)
  const placeholders = placeholdersIn(definition.data?.attributes.source_yaml ?? '')
  const navigate = useNavigate()
  const given = Object.fromEntries(placeholders.map(each => [each, values[each] ?? '']))
  const { values: pairs, fault } = readMetadata(metadata)
  const { overrides, faults } = overridesOf(given)
  const isWrong = fault !== undefined || Object.keys(faults).length > 0

  // The plan is that of the definition, whose placeholders have their fields.
  const typed = JSON.stringify(
    !isWrong && definition.isSuccess
      ? {
          ...(version !== published && { version }),
          property_overrides: overrides,
          metadata: pairs,
          skip_steps: linesOf(skip),
          ...(notBefore !== '' && { run_at: new Date(notBefore).toISOString() }),
        }
      : null,
  )
  const asked = useRested(typed)
  const isRested = asked === typed
  const request = useMemo((): WorkflowRunRequest | undefined => {
    const attributes = JSON.parse(asked) as WorkflowRunAttributes | null
    return attributes ? { path: `${path}/runs`, attributes } : undefined
  }, [asked, path])
  const planning = useWorkflowPlan(request)
  const plan = planning.error || planning.isPlaceholderData ? undefined : planning.data
  const run = useMutation({
    mutationFn: (what: { request: WorkflowRunRequest; plan: NonNullable<typeof plan> }) =>
      runPlannedWorkflow(what.request, what.plan),
    onSuccess: ({ id }) => navigate({ to: '/activities/$id', params: { id } }),
    onError: error => {
      if (hasMoved(error)) void planning.refetch()
    },
  })
  const numbers = versions.records.map(({ attributes }) => attributes.version)

  return (
    <FormDialog
      kind="sheet"
      title={texts.runTitle(name)}
      action={notBefore === '' ? runTexts.runNow : runTexts.runLater}
      busy={run.isPending}
      disabledReason={
        isWrong ? runTexts.fixFirst : !isRested ? runTexts.planning : request && plan ? undefined : runTexts.planFirst
      }
      error={run.isError ? (hasMoved(run.error) ? runTexts.moved : faultText(run.error)) : undefined}
      more={
        request && (
          <ScheduleLink
            path={`/projects/${project}`}
            workflow={code}
            attributes={request.attributes}
            isCurrent={isRested}
          />
        )
      }
      onSubmit={() => request && plan && run.mutate({ request, plan })}
      onClose={onClose}
    >
      <Select
        label={texts.version}
        value={String(version)}
        onChange={value => setVersion(Number(value))}
        options={(numbers.length > 0 ? numbers : [published]).map(number => [
          String(number),
          number === published ? texts.latest(number) : workflows.version(number),
        ])}
      />
      <TextField
        label={runTexts.notBefore}
        hint={runTexts.notBeforeHint(userTimeZone())}
        type="datetime-local"
        value={notBefore}
        onChange={setNotBefore}
      />
      {definition.isPending && <Skeleton rows={2} />}
      {placeholders.length > 0 && (
        <fieldset className={styles['group']}>
          <legend>{texts.overrides}</legend>
          <p className={styles['soft']}>{`${texts.overridesHint} ${texts.valueHint}`}</p>
          {placeholders.map(each => (
            <TextField
              key={each}
              label={each}
              value={values[each] ?? ''}
              onChange={value => setValues({ ...values, [each]: value })}
              error={faults[each]}
              spellCheck={false}
              autoComplete="off"
            />
          ))}
        </fieldset>
      )}
      <TextArea label={texts.skip} hint={texts.skipHint} value={skip} onChange={setSkip} spellCheck={false} />
      <TextArea
        label={texts.metadata}
        hint={runTexts.metadataHint}
        value={metadata}
        onChange={setMetadata}
        error={fault}
        spellCheck={false}
      />
      <WorkflowPlanView
        planning={planning}
        whyNot={isWrong ? runTexts.fixFirst : request ? undefined : runTexts.planning}
        onToggleStep={step => setSkip(withToggledStep(skip, step))}
      />
      <div className={styles['group']}>
        <h3>{general.asCommand}</h3>
        <CommandLine
          command={runCommand({
            project,
            code,
            version: version === published ? undefined : version,
            values: given,
            metadata: pairs,
            runAt: request?.attributes.run_at,
            skip: linesOf(skip),
          })}
        />
      </div>
    </FormDialog>
  )
}
