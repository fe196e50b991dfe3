import { useQueryClient } from '@tanstack/react-query'
import { useList } from '../../api/queries.ts'
import type { Template } from '../../api/records.ts'
import { useEdit } from '../../api/use-edit.ts'
import { Conflict } from '../../components/conflict/conflict.tsx'
import { Select, TextArea, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { templates } from '../../messages/templates.ts'
import { Blockers } from '../projects/dialogs/blockers.tsx'
import { refreshTemplate } from './refresh-template.ts'
import type { ShownTemplate } from './shown-template.ts'

const texts = templates.editDialog

const valuesOf = ({ name, description, git_remote_name }: Template) => ({
  name,
  description: description ?? '',
  git_remote_name,
})

/** Dialog that changes the name, the description and the Git remote of a template; a refusal names what uses it. */
export function TemplateEditDialog({
  template,
  path,
  project,
  onClose,
}: ShownTemplate & { readonly onClose: () => void }) {
  const cache = useQueryClient()
  const toast = useToast()
  const { values, set, save, isSaving, error, conflict, takeTheirs } = useEdit<'template', ReturnType<typeof valuesOf>>(
    {
      path,
      initial: valuesOf(template.attributes),
      valuesOf,
      attributesOf: ({ name, description, git_remote_name: remote }) => ({
        name,
        description: description === '' ? null : description,
        // The present one may be archived or not readable, which is no reason to refuse another name.
        ...(remote !== template.attributes.git_remote_name && { git_remote_name: remote }),
      }),
      onSaved: async () => {
        await refreshTemplate(cache, path)
        toast.done(texts.saved(values.name))
        onClose()
      },
    },
  )
  const remotes = useList<'git_remote'>(`/api/projects/${project}/git_remotes`, {
    limit: 1_000,
    'filter[sorts]': 'name',
  })
  const usable = remotes.records
    .filter(({ attributes }) => !attributes.archived)
    .map(({ attributes }) => attributes.name)
  const { fields, other } = fieldFaults(error, ['name', 'description', 'git_remote_name'])
  return (
    <FormDialog
      title={texts.title(template.attributes.name)}
      action={general.save}
      busy={isSaving}
      error={other}
      onSubmit={save}
      onClose={onClose}
      isChecked
    >
      <TextField
        label={texts.labels.name}
        value={values.name}
        onChange={name => set({ name })}
        error={fields['name']}
        required
      />
      <TextArea
        label={texts.labels.description}
        value={values.description}
        onChange={description => set({ description })}
        error={fields['description']}
      />
      <Select
        label={texts.labels.git_remote_name}
        hint={texts.remoteHint}
        value={values.git_remote_name}
        onChange={name => set({ git_remote_name: name })}
        error={fields['git_remote_name']}
        // The present one may be archived, or not readable.
        options={[...new Set([values.git_remote_name, ...usable])].map(name => [name, name] as const)}
      />
      <Blockers error={error} onFollow={onClose} />
      <Conflict theirs={conflict} labels={texts.labels} onTakeTheirs={takeTheirs} />
    </FormDialog>
  )
}
