import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import type { Project, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { formFaults } from '../../components/field/faults.ts'
import { Select, TextField } from '../../components/field/field.tsx'
import { ErrorState, faultText, Skeleton } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { workflows as texts } from '../../messages/workflows.ts'
import { codeFromName } from '../projects/dialogs/code-from-name.ts'
import { starter } from './source.ts'
import styles from './workflow-page.module.css'

const pointers = ['code', 'name'].map(name => `/data/attributes/${name}`)

/** Dialog that creates a workflow with a draft to start from. */
export function CreateWorkflow({ project, onClose }: { project: string | undefined; onClose: () => void }) {
  const projects = useList<'project'>('/api/projects', { limit: 1_000, 'filter[archived_eq]': false })
  const possible = projects.records.filter(mayCreateIn)
  const [chosen, setChosen] = useState(project ?? '')
  const [name, setName] = useState('')
  const [code, setCode] = useState<string>()
  const formId = useId()
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
  const faults = formFaults(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending && given.project !== '') create.mutate()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.createTitle}
      description={texts.createDescription}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={create.isPending}
            disabledReason={given.project === '' ? texts.chooseProject : undefined}
          >
            {texts.createAction}
          </Button>
        </>
      }
    >
      {projects.query.isPending ? (
        <Skeleton rows={3} />
      ) : projects.query.isError ? (
        <ErrorState error={projects.query.error} onRetry={() => void projects.query.refetch()} />
      ) : possible.length === 0 ? (
        <p>{projects.records.length === 0 ? texts.noProjectYet : texts.noProject}</p>
      ) : (
        <form id={formId} className={styles['form']} onSubmit={submit} noValidate>
          <Select
            label={texts.project}
            value={given.project}
            onChange={setChosen}
            options={[
              ...(given.project === '' ? [['', texts.chooseProject] as const] : []),
              ...possible.map(
                ({ attributes }) => [attributes.code, `${attributes.name} (${attributes.code})`] as const,
              ),
            ]}
          />
          <TextField label={texts.name} value={name} onChange={setName} error={faults.at('/data/attributes/name')} />
          <TextField
            label={texts.code}
            hint={texts.codeHint}
            value={given.code}
            onChange={setCode}
            error={faults.at('/data/attributes/code')}
            spellCheck={false}
            autoComplete="off"
          />
          {faults.hasOthers(pointers) && (
            <p className={styles['error']} role="alert">
              {faultText(create.error)}
            </p>
          )}
        </form>
      )}
    </Dialog>
  )
}

/** Whether the API says that the project has workflows and the user may create one. */
function mayCreateIn({ meta }: Resource<Project>): boolean {
  const areas = meta?.['authorisations'] as Readonly<Record<string, { update?: boolean }>> | undefined
  return areas?.['workflows']?.update === true
}

const codeOf = ([first]: readonly Resource<Project>[]): string => first?.attributes.code ?? ''
