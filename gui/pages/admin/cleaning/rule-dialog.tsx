import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listKey } from '../../../api/keys.ts'
import { useEdit } from '../../../api/use-edit.ts'
import { Conflict } from '../../../components/conflict/conflict.tsx'
import { Select, TextArea, TextField } from '../../../components/field/field.tsx'
import { fieldFaults } from '../../../components/field/field-faults.ts'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { userTimeZone } from '../../../components/time/format.ts'
import { useToast } from '../../../components/toast/toast.tsx'
import { cleaning as texts } from '../../../messages/cleaning.ts'
import { general } from '../../../messages/general.ts'
import { attributesOf, formOf, type Kind, type Rule, type RuleForm, rulesPath } from './rule.ts'

interface RuleDialogProps {
  /** Undefined to create one. */
  readonly rule?: Rule
  readonly onClose: () => void
  readonly onCreated?: (rule: Rule) => void
}

const names: readonly (keyof RuleForm)[] = [
  'name',
  'kind',
  'older_than',
  'cron_schedule',
  'time_zone',
  'node_paths',
  'filters',
  'maximum_per_run',
]

const labels: Readonly<Record<keyof RuleForm, string>> = {
  name: texts.name,
  kind: texts.kind,
  older_than: texts.olderThan,
  cron_schedule: texts.cron,
  time_zone: texts.zone,
  node_paths: texts.paths,
  filters: texts.filtersLabel,
  maximum_per_run: texts.maximumLabel,
}

/** Form of a retention rule. A new one is disabled until its preview was seen. */
export function RuleDialog({ rule, onClose, onCreated }: RuleDialogProps) {
  const [unreadable, setUnreadable] = useState<Partial<Record<string, string>>>({})
  const toast = useToast()
  const cache = useQueryClient()
  const edit = useEdit<'data_cleanup_definition', RuleForm>({
    path: rule && `${rulesPath}/${rule.id}`,
    createAt: rulesPath,
    initial: formOf(rule, userTimeZone()),
    valuesOf: attributes => formOf({ attributes } as Rule, userTimeZone()),
    attributesOf: form => ({ ...attributesOf(form).attributes, ...(!rule && { enabled: false }) }),
    onSaved: async saved => {
      await cache.invalidateQueries({ queryKey: listKey(rulesPath) })
      toast.done(texts.saved(form.name))
      onClose()
      onCreated?.(saved as unknown as Rule)
    },
  })
  const { values: form, save, isSaving, error, conflict, takeTheirs } = edit
  const { fields, other } = fieldFaults(error, names)
  const errors = { ...fields, ...unreadable }
  const set = (name: keyof RuleForm) => (value: string) => edit.set({ [name]: value })
  const submit = () => {
    const { errors } = attributesOf(form)
    setUnreadable(errors)
    if (Object.keys(errors).length === 0) save()
  }
  const field = (name: keyof RuleForm, label: string, hint?: string) => ({
    label,
    ...(hint !== undefined && { hint }),
    value: form[name],
    onChange: set(name),
    error: errors[name],
  })
  return (
    <FormDialog
      kind="sheet"
      title={rule ? texts.editTitle(rule.attributes.name) : texts.createTitle}
      description={rule ? texts.editDetail : texts.createDetail}
      action={rule ? general.save : texts.create}
      busy={isSaving}
      error={other}
      onSubmit={submit}
      onClose={onClose}
      isChecked
    >
      <TextField {...field('name', texts.name)} required autoFocus />
      <Select {...field('kind', texts.kind)} options={Object.entries(texts.kinds) as [Kind, string][]} />
      <TextField {...field('older_than', texts.olderThan, texts.olderThanHint)} required spellCheck={false} />
      <TextField {...field('cron_schedule', texts.cron, texts.cronHint)} required spellCheck={false} />
      <TextField {...field('time_zone', texts.zone)} required spellCheck={false} />
      <TextArea {...field('node_paths', texts.paths, texts.pathsHint)} rows={2} spellCheck={false} />
      <TextArea {...field('filters', texts.filtersLabel, texts.filtersHint)} rows={2} spellCheck={false} />
      <TextField {...field('maximum_per_run', texts.maximumLabel, texts.maximumHint)} inputMode="numeric" />
      {conflict && <Conflict theirs={conflict} labels={labels} onTakeTheirs={takeTheirs} />}
    </FormDialog>
  )
}
