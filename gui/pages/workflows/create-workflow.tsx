import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import type { Project, Resource } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { Select, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { workflows as texts } from '../../messages/workflows.ts'
import { mayUpdate } from '../../shell/rights.ts'
import { codeFromName } from '../projects/dialogs/code-from-name.ts'
import { mayCreateIn, projectsToCreateIn } from '../projects/use-why-not-create.ts'
import { starter } from './source.ts'

const names = ['code', 'name']

/** Dialog that creates a workflow with a draft to start from. */
export function CreateWorkflow({ project, onClose }: { project: string | undefined; onClose: () => void }) {
  const me = useMe()
  const projects = useList<'project'>('/api/projects', projectsToCreateIn)
  const possible = projects.records.filter(each => mayCreateIn('workflows', each))
  const [chosen, setChosen] = useState(project ?? '')
  const [name, setName] = useState('')
  const [code, setCode] = useState<string>()
  const cache = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const given = { project: chosen || (possible.length === 1 ? codeOf(possible) : ''), code: code ?? codeFromName(name) }

  const create = useMutation({
    mutationFn: () =>
      sluice().call('POST /api/projects/{project_code}/workflows', {
        path: { project_code: given.project },
        attributes: { code: given.code, name, source_yaml: starter },
      }),
    onSuccess: async () => {
      void cache.invalidateQueries({ queryKey: listKey('/api/workflows') })
      toast.done(texts.created(name))
      await navigate({ to: '/workflows/$project/$code', params: given })
    },
  })
  const { fields, other } = fieldFaults(create.error, names)

  return (
    <FormDialog
      title={texts.createTitle}
      description={texts.createDescription}
      action={texts.createAction}
      busy={create.isPending}
      disabledReason={given.project === '' ? texts.chooseProject : undefined}
      error={other}
      onSubmit={() => create.mutate()}
      onClose={onClose}
      isChecked
    >
      <ListStates
        query={projects.query}
        count={possible.length}
        skeleton={3}
        empty={
          <p>{projects.records.length === 0 && mayUpdate(me, '/projects') ? texts.noProjectYet : texts.noProject}</p>
        }
      >
        <Select
          label={texts.project}
          value={given.project}
          onChange={setChosen}
          options={[
            ...(given.project === '' ? [['', texts.chooseProject] as const] : []),
            ...possible.map(({ attributes }) => [attributes.code, `${attributes.name} (${attributes.code})`] as const),
          ]}
        />
        <TextField label={texts.name} value={name} onChange={setName} error={fields['name']} required />
        <TextField
          label={texts.code}
          hint={texts.codeHint}
          value={given.code}
          onChange={setCode}
          error={fields['code']}
          required
          spellCheck={false}
          autoComplete="off"
        />
      </ListStates>
    </FormDialog>
  )
}

const codeOf = ([first]: readonly Resource<Project>[]): string => first?.attributes.code ?? ''
