import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { listKey } from '../../api/keys.ts'
import { CommandLine } from '../../components/command/command-line.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { ErrorState, Skeleton } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { run as texts } from '../../messages/run.ts'
import { actionsOf } from '../projects/action.ts'
import { type NodeRecord, nodeType, projectPathOf } from '../projects/node.ts'
import { createCommand, retryCommand } from './command-line.ts'
import { Options } from './options.tsx'
import { approvedSteps, type Plan, stepPathsOf } from './plan.ts'
import { PlanView } from './plan-view.tsx'
import { ForeignActionFields, OptionFields, OwnActionField } from './run-fields.tsx'
import { type RunForm, withToggledStep } from './run-form.ts'
import styles from './run-sheet.module.css'
import type { RunSubject } from './run-subject.ts'
import { ScheduleLink } from './schedule-link.tsx'
import { hasMoved, isUnplanned, runPlanned, usePlan } from './use-plan.ts'
import { useRunRequest } from './use-run-request.ts'

interface RunSheetProps {
  readonly subject: RunSubject
  readonly onClose: () => void
}

const attributesWithFields = [
  'action',
  'git_remote_name',
  'git_rev',
  'template_version',
  'run_at',
  'starting_step',
  'skip_steps',
  'property_overrides',
  'metadata',
]

/**
 * Dialog that shows the plan of a change and creates the change that was shown. The plan is read again whenever a field
 * changes; if it has changed by itself since it was shown, the change is refused and the new plan is shown.
 */
export function RunSheet({ subject, onClose }: RunSheetProps) {
  const { form, change, request, isRested, problems, original, overrides } = useRunRequest(subject)
  const planning = usePlan(request)
  const running = useRun(planning.data, () => void planning.refetch())
  const faults = fieldFaults(running.error ?? planning.error, attributesWithFields)
  const errorOf = (attribute: string) => problems[attribute] ?? faults.fields[attribute]
  // While a changed field is being planned, or a plan that has changed is read again, the plan shown is that of before.
  const isOutdated = planning.isPlaceholderData || (planning.isFetching && hasMoved(running.error))
  const plan = planning.error || isOutdated ? undefined : planning.data
  const isPlanless = isUnplanned(planning.error)
  const whyNot = !request
    ? whyNoRequest(form, problems)
    : !isRested
      ? texts.planning
      : plan || isPlanless
        ? undefined
        : texts.planFirst
  const isRetry = 'retryOf' in subject
  const fields = { form, onChange: change, errorOf }

  return (
    <FormDialog
      kind="sheet"
      title={titleOf(subject, form)}
      description={isRetry ? texts.retryDescription(subject.retryOf.attributes.node_path) : texts.on(subject.path)}
      action={submitText(isRetry, isPlanless, form)}
      busy={running.isPending}
      disabledReason={whyNot}
      error={hasMoved(running.error) ? undefined : fieldFaults(running.error, attributesWithFields).other}
      more={
        !isRetry && request && <ScheduleLink path={subject.path} attributes={request.attributes} isCurrent={isRested} />
      }
      onSubmit={() => request && running.mutate({ request, plan })}
      onClose={onClose}
      isChecked
    >
      {!isRetry &&
        (nodeType(subject.node) === 'asset' ? (
          <OwnActionField {...fields} actions={actionsOf(subject.node)} />
        ) : (
          <ForeignActionFields {...fields} project={projectPathOf(subject.path)} />
        ))}
      <Options isOpen={isRetry}>
        <OptionFields
          {...fields}
          isRetry={isRetry}
          path={isRetry ? subject.retryOf.attributes.node_path : subject.path}
          original={original}
          readOverrides={overrides}
          template={isRetry ? undefined : templateOf(subject)}
          stepPaths={planning.data ? stepPathsOf(planning.data) : []}
        />
      </Options>
      <h3>{texts.plan}</h3>
      {hasMoved(running.error) && (
        <p className={styles['notice']} role="alert">
          {texts.moved}
        </p>
      )}
      {isPlanless ? (
        <p className={styles['notice']}>{texts.unplanned}</p>
      ) : !request ? (
        <p className={styles['hint']}>{whyNoRequest(form, problems)}</p>
      ) : planning.error ? (
        <ErrorState error={planning.error} onRetry={() => void planning.refetch()} />
      ) : planning.data ? (
        <PlanView
          plan={planning.data}
          isBusy={planning.isFetching}
          {...(isRetry && { approved: approvedSteps(subject.retryOf.attributes.approved_by) })}
          onToggleStep={path => change({ skipSteps: withToggledStep(form.skipSteps, path) })}
        />
      ) : (
        <Skeleton rows={5} />
      )}
      {request && (
        <div className={styles['group']}>
          <h3>{general.asCommand}</h3>
          <CommandLine
            command={
              isRetry
                ? retryCommand(subject.retryOf.id, request.attributes)
                : createCommand(subject.path, request.attributes)
            }
          />
        </div>
      )}
    </FormDialog>
  )
}

type RunArguments = Parameters<typeof runPlanned>

function useRun(shown: Plan | undefined, onMoved: () => void) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  return useMutation({
    mutationFn: ({ request, plan }: { request: RunArguments[0]; plan: RunArguments[1] }) => runPlanned(request, plan),
    onSuccess: async ({ id, attributes }) => {
      toast.done(texts.started(attributes.action))
      void cache.invalidateQueries({ queryKey: listKey('/api/activities') })
      // In place of the address of the dialog: the Back button should not offer to run the same again.
      await navigate({ to: '/activities/$id', params: { id }, replace: true })
    },
    onError: error => {
      if (shown && hasMoved(error)) onMoved()
    },
  })
}

const titleOf = (subject: RunSubject, form: RunForm): string =>
  'retryOf' in subject
    ? texts.retryTitle(subject.retryOf.attributes.action)
    : form.action === ''
      ? texts.titleChoose
      : texts.title(form.action)

function submitText(isRetry: boolean, isPlanless: boolean, form: RunForm): string {
  if (isPlanless) return texts.runUnplanned
  if (isRetry) return texts.retryNow
  return form.notBefore === '' ? texts.runNow : texts.runLater
}

const whyNoRequest = (form: RunForm, problems: Readonly<Record<string, string>>): string =>
  Object.keys(problems).length > 0 ? texts.fixFirst : form.action === '' ? texts.noPlanYet : texts.planning

function templateOf({ node, path }: { node: NodeRecord; path: string }) {
  const { template_code: code, template_version: version } = node.attributes
  return typeof code === 'string'
    ? { path: `${projectPathOf(path)}/templates/${code}`, version: version ?? null }
    : undefined
}
