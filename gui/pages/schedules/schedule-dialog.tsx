import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { sluice, write } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { isStatus } from '../../api/query-client.ts'
import type { ScheduledChange } from '../../api/records.ts'
import { readVersioned, type Versioned } from '../../api/versioned.ts'
import { Button } from '../../components/button/button.tsx'
import { Conflict } from '../../components/conflict/conflict.tsx'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { Checkbox, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { run } from '../../messages/run.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { stepPathsOf } from '../run/plan.ts'
import { originalOf, useInputs } from '../run/use-inputs.ts'
import { isPermitted, nameOf } from './schedule.ts'
import { fieldLabels, rebasedForm } from './schedule-conflict.ts'
import { attributesOf, emptyForm, type FirstInputs, formOf, type ScheduleForm } from './schedule-form.ts'
import { ScheduleOptions } from './schedule-options.tsx'
import { SchedulePlan, useChangePlan } from './schedule-plan.tsx'
import styles from './schedules-page.module.css'
import { TimingFields } from './timing-fields.tsx'
import { WhatFields } from './what-fields.tsx'

interface ScheduleDialogProps {
  readonly initial: ScheduleForm
  /** Schedule that is edited; without it, one is created. */
  readonly existing?: Versioned<ScheduledChange>
  readonly onClose: () => void
}

const shown = [
  'action',
  'workflow_code',
  'git_remote_name',
  'git_rev',
  'cron_schedule',
  'run_at',
  'time_zone',
  'maximum_run_count',
  'end_at',
  'starting_step',
  'skip_steps',
  'metadata',
  'property_overrides',
]

const firstInputs = (stored: Versioned<ScheduledChange> | undefined, initial: ScheduleForm): FirstInputs =>
  stored
    ? {
        isStored: true,
        form: formOf(stored.record.attributes, initial.node),
        overrides: originalOf(stored.record.attributes).overrides,
      }
    : { isStored: false, form: emptyForm(initial.zone), overrides: {} }

/** Dialog that creates or edits a schedule, with the times at which it will run. */
export function ScheduleDialog({ initial, existing, onClose }: ScheduleDialogProps) {
  const [form, setForm] = useState(initial)
  const [isDeleting, setDeleting] = useState(false)
  const change = (more: Partial<ScheduleForm>) => setForm(now => ({ ...now, ...more }))
  const cache = useQueryClient()
  const toast = useToast()
  const name = form.kind === 'workflow' ? form.workflow : form.action.trim()
  const { rested, overrides, problems } = useInputs(form)
  // What is typed is read once typing rests.
  const isRead = rested.overrides === form.overrides
  const isWrong = Object.keys(problems).length > 0
  // Another state than that of the beginning is what somebody else has saved meanwhile.
  const [stored, setStored] = useState(existing)
  const first = useMemo(() => firstInputs(stored, initial), [stored, initial])
  const [conflict, setConflict] = useState<ReturnType<typeof rebasedForm>['conflict']>()
  const rebase = (theirs: Versioned<ScheduledChange>) => {
    const rebased = rebasedForm(form, first.form, firstInputs(theirs, initial).form)
    setForm(rebased.form)
    setConflict(rebased.conflict)
    setStored(theirs)
  }
  const attributes = isRead && !isWrong ? attributesOf(form, overrides, first) : undefined
  const { planning } = useChangePlan({ rested, overrides })
  const done = (text: string) => {
    for (const key of [listKey('/api/scheduled_activities'), recordKey('/api/scheduled_activities/upcoming')])
      void cache.invalidateQueries({ queryKey: key })
    toast.done(text)
    onClose()
  }

  const save = useMutation({
    mutationFn: (): Promise<unknown> =>
      stored
        ? write('PATCH', `/api/scheduled_activities/${stored.record.id}`, { attributes: attributes ?? {} }, stored)
        : sluice().create(`/api${form.node}/scheduled_activities`, attributes),
    onSuccess: () => done(existing ? texts.saved(name) : texts.created(name)),
    onError: async error => {
      if (stored && isStatus(error, 412)) rebase(await readVersioned(`/api/scheduled_activities/${stored.record.id}`))
    },
  })
  const remove = useMutation({
    mutationFn: () => sluice().remove(`/api/scheduled_activities/${existing?.record.id}`),
    onSuccess: () => done(texts.removed(name)),
    onError: error => toast.failed(error),
  })
  const { fields: errors, other } = fieldFaults(conflict && isStatus(save.error, 412) ? undefined : save.error, shown)
  const whyNot = existing && !isPermitted(existing.record, 'update') ? texts.needsUpdate : undefined

  return (
    <FormDialog
      kind="sheet"
      title={existing ? texts.editTitle(nameOf(existing.record.attributes)) : texts.createTitle}
      action={existing ? general.save : texts.createAction}
      busy={save.isPending}
      disabledReason={whyNot ?? (attributes ? undefined : isWrong ? texts.fixFirst : texts.incomplete)}
      error={other}
      more={
        existing && (
          <Button
            variant="danger"
            disabledReason={isPermitted(existing.record, 'delete') ? undefined : texts.needsDelete}
            onClick={() => setDeleting(true)}
          >
            {texts.remove}
          </Button>
        )
      }
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <WhatFields form={form} onChange={change} isNodeFixed={existing !== undefined} errors={errors} />
      <TimingFields form={form} onChange={change} errors={errors} />
      <div>
        <Checkbox label={texts.parallel} checked={form.isParallel} onChange={isParallel => change({ isParallel })} />
        {form.kind === 'action' && (
          <Checkbox
            label={texts.newCommits}
            checked={form.needsNewCommit}
            onChange={needsNewCommit => change({ needsNewCommit })}
          />
        )}
      </div>
      <div className={styles['pair']}>
        <TextField
          label={texts.maximum}
          hint={texts.optional}
          type="number"
          min={1}
          value={form.maximum}
          onChange={maximum => change({ maximum })}
          error={errors['maximum_run_count']}
        />
        <TextField
          label={texts.endAt}
          hint={texts.optional}
          type="datetime-local"
          value={form.endAt}
          onChange={endAt => change({ endAt })}
          error={errors['end_at']}
        />
      </div>
      <ScheduleOptions
        form={form}
        onChange={change}
        errors={errors}
        initial={initial}
        problems={problems}
        stepPaths={planning.data ? stepPathsOf(planning.data) : []}
      />
      {conflict && (
        <Conflict
          theirs={conflict}
          labels={fieldLabels}
          onTakeTheirs={() => {
            setForm(first.form)
            setConflict(undefined)
            save.reset()
          }}
        />
      )}
      <SchedulePlan
        form={form}
        rested={rested}
        overrides={overrides}
        whyNot={isWrong ? run.fixFirst : undefined}
        onChange={change}
      />
      <Confirm
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={texts.removeTitle(name)}
        description={texts.removeDetail}
        action={texts.removeAction}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </FormDialog>
  )
}
