import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { useRecord } from '../../api/queries.ts'
import type { Resource } from '../../api/records.ts'
import { decision as texts } from '../../messages/decision.ts'
import { TextArea } from '../field/field.tsx'
import { fieldFaults } from '../field/field-faults.ts'
import { FormDialog } from '../form-dialog/form-dialog.tsx'
import { ErrorState, Skeleton } from '../state/state.tsx'
import { useToast } from '../toast/toast.tsx'
import { ApprovalProgress } from './approval-progress.tsx'
import { ArgumentInput } from './argument-input.tsx'
import { argumentFields, givenArguments } from './input-arguments.ts'

export type Decision = 'approve' | 'reject' | 'continue'

/** Type of the steps: `step` of changes, `workflow_step` of workflow runs. */
export type StepType = 'step' | 'workflow_step'

/** Waiting step, as lists of steps or of waiting steps show it. */
export type WaitingRecord = Resource<{
  readonly full_path: string
  readonly requires_approval_from: unknown
  readonly approved_by: unknown
}>

interface DecisionDialogProps {
  readonly type: StepType
  readonly step: WaitingRecord
  readonly decision: Decision
  /** Subject of the decision. */
  readonly about?: ReactNode
  readonly onClose: () => void
}

/** Dialog to approve, reject or continue a waiting step, with a message and the values that the step asks for. */
export function DecisionDialog({ type, step, decision, about, onClose }: DecisionDialogProps) {
  const path = `/api/${type}s/${step.id}`
  const asksForInput = decision === 'continue' && type === 'step'
  // Lists of waiting steps leave the arguments out.
  const record = useRecord<'step'>(path, undefined, { enabled: asksForInput })
  const fields = argumentFields(asksForInput ? record.data?.attributes.input_arguments : undefined)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [message, setMessage] = useState('')
  const cache = useQueryClient()
  const toast = useToast()
  const name = lastName(step.attributes.full_path)

  const decide = useMutation({
    mutationFn: () =>
      sluice().create(`${path}/${decision}`, {
        ...(message !== '' && { message }),
        ...(fields.length > 0 && { input_arguments: givenArguments(fields, values) }),
      }),
    onSuccess: decided => {
      cache.setQueryData(recordKey(path), decided)
      for (const list of ['/api/waiting_steps', '/api/activities', '/api/events'])
        void cache.invalidateQueries({ queryKey: listKey(list) })
      void cache.invalidateQueries({ queryKey: recordKey('/api/summary') })
      toast.done(texts.done[decision](name))
      onClose()
    },
  })
  const faults = fieldFaults(decide.error, ['message', ...fields.map(placeOf)])
  const isReading = asksForInput && record.isPending

  return (
    <FormDialog
      title={texts.titles[decision](name)}
      description={texts.descriptions[decision]}
      action={texts.actions[decision]}
      danger={decision === 'reject'}
      busy={decide.isPending || isReading}
      disabledReason={asksForInput && record.isError ? texts.notRead : undefined}
      error={faults.other}
      onSubmit={() => decide.mutate()}
      onClose={onClose}
    >
      {about}
      <ApprovalProgress step={step.attributes} />
      {isReading ? (
        <Skeleton rows={3} />
      ) : asksForInput && record.isError ? (
        <ErrorState error={record.error} onRetry={() => void record.refetch()} />
      ) : (
        <>
          {fields.map(field => (
            <ArgumentInput
              key={field.key}
              field={field}
              value={values[field.key] ?? field.initial}
              onChange={value => setValues({ ...values, [field.key]: value })}
              error={faults.fields[placeOf(field)]}
            />
          ))}
          <TextArea
            label={texts.message}
            hint={texts.messageHint}
            value={message}
            onChange={setMessage}
            error={faults.fields['message']}
            rows={3}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Place of a value in the attributes of the request, as errors name it. */
const placeOf = ({ pointer }: { readonly pointer: string }): string => pointer.replace('/data/attributes/', '')

/** Name of a step: the last of the names that its path joins. */
const lastName = (fullPath: string): string => fullPath.slice(fullPath.lastIndexOf('/') + 1)
