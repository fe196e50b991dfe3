import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import { useMe } from '../../api/session.tsx'
import { Select, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { FormDialog } from '../../components/form-dialog/form-dialog.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { templates } from '../../messages/templates.ts'
import { mayUpdate } from '../../shell/rights.ts'
import { mayCreateIn, projectsToCreateIn } from '../projects/use-why-not-create.ts'
import styles from './templates-page.module.css'

const texts = templates.templateDialog
const fields = ['name', 'code', 'template_type', 'git_remote_name']
const remoteFields = ['name', 'url', 'user', 'password']

/** Dialog that creates a template and, if the project has none or another is wanted, the Git remote that it comes from. */
export function TemplateDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const projects = useList<'project'>('/api/projects', projectsToCreateIn)
  const possible = projects.records.filter(each => mayCreateIn('templates', each))
  const [chosenProject, setProject] = useState<string>()
  const project = chosenProject ?? possible[0]?.attributes.code
  const isFirst = projects.records.length === 0 && mayUpdate(me, '/projects')
  const whyNone = projects.query.isPending ? general.loading : isFirst ? templates.needsProject : templates.noProject
  const remotes = useList<'git_remote'>(
    `/api/projects/${project ?? ''}/git_remotes`,
    { limit: 1_000 },
    { enabled: project !== undefined },
  )
  const [chosenRemote, setRemote] = useState<string>()
  const remote = chosenRemote ?? remotes.records[0]?.attributes.name ?? newRemote
  const isNewRemote = remote === newRemote
  const [values, setValues] = useState({ name: '', code: '', type: 'asset' })
  const [access, setAccess] = useState({ name: '', url: '', user: '', password: '' })
  const cache = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()

  const makeRemote = useMutation({
    mutationFn: () =>
      sluice().create(`/api/projects/${project}/git_remotes`, {
        name: access.name,
        url: access.url,
        ...(access.user !== '' && { user: access.user }),
        ...(access.password !== '' && { password: access.password }),
      }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: listKey(`/api/projects/${project}/git_remotes`) })
      setRemote(access.name)
    },
  })
  const make = useMutation({
    mutationFn: (remoteName: string) =>
      sluice().create(`/api/projects/${project}/templates`, {
        name: values.name,
        code: values.code,
        template_type: values.type,
        git_remote_name: remoteName,
      }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: listKey('/api/templates') })
      toast.done(texts.created(values.name))
      void navigate({ to: '/templates/$project/$code', params: { project: project!, code: values.code } })
    },
  })
  const submit = () => {
    if (!isNewRemote) make.mutate(remote)
    else makeRemote.mutate(undefined, { onSuccess: () => make.mutate(access.name) })
  }
  const ofTemplate = fieldFaults(make.error, fields)
  const ofRemote = fieldFaults(makeRemote.error, remoteFields)
  const set = (name: keyof typeof values) => (value: string) => setValues({ ...values, [name]: value })
  const setOf = (name: keyof typeof access) => (value: string) => setAccess({ ...access, [name]: value })

  return (
    <FormDialog
      title={texts.title}
      action={texts.submit}
      busy={make.isPending || makeRemote.isPending}
      disabledReason={project === undefined ? whyNone : undefined}
      error={ofRemote.other ?? ofTemplate.other}
      onSubmit={submit}
      onClose={onClose}
      isChecked
    >
      <Select
        label={texts.project}
        value={project ?? ''}
        onChange={value => {
          setProject(value)
          setRemote(undefined)
        }}
        options={possible.map(({ attributes: { code, name } }) => [code, name] as const)}
      />
      <TextField
        label={texts.name}
        value={values.name}
        onChange={set('name')}
        error={ofTemplate.fields['name']}
        required
        autoFocus
      />
      <TextField
        label={texts.code}
        hint={texts.codeHint}
        value={values.code}
        onChange={set('code')}
        error={ofTemplate.fields['code']}
        required
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label={texts.type}
        value={values.type}
        onChange={set('type')}
        error={ofTemplate.fields['template_type']}
        options={Object.entries(templates.types)}
      />
      <Select
        label={texts.remote}
        hint={remotes.records.length === 0 && remotes.query.isSuccess ? texts.noRemotes : texts.remoteHint}
        value={remote}
        onChange={setRemote}
        error={ofTemplate.fields['git_remote_name']}
        options={[
          ...remotes.records.map(({ attributes: { name } }) => [name, name] as const),
          [newRemote, texts.newRemote] as const,
        ]}
      />
      {isNewRemote && (
        <div className={styles['group']}>
          <TextField
            label={texts.remoteName}
            value={access.name}
            onChange={setOf('name')}
            error={ofRemote.fields['name']}
            required
          />
          <TextField
            label={texts.remoteUrl}
            value={access.url}
            onChange={setOf('url')}
            error={ofRemote.fields['url']}
            required
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            label={texts.remoteUser}
            value={access.user}
            onChange={setOf('user')}
            error={ofRemote.fields['user']}
            autoComplete="off"
          />
          <TextField
            label={texts.remotePassword}
            type="password"
            value={access.password}
            onChange={setOf('password')}
            error={ofRemote.fields['password']}
            autoComplete="new-password"
          />
        </div>
      )}
    </FormDialog>
  )
}

/** Choice of the list of remotes that stands for a new one; names of remotes cannot be empty. */
const newRemote = ''
