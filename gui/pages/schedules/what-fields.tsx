import { useId } from 'react'
import { useList, useRecord } from '../../api/queries.ts'
import { Select, TextField } from '../../components/field/field.tsx'
import type { FieldFaults } from '../../components/field/field-faults.ts'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import type { ScheduleForm } from './schedule-form.ts'
import styles from './schedules-page.module.css'

export interface FieldsProps {
  readonly form: ScheduleForm
  readonly onChange: (more: Partial<ScheduleForm>) => void
  readonly errors: FieldFaults['fields']
}

const isNodePath = (path: string): boolean => /^\/projects\/[^/]+(\/[^/]+\/[^/]+)*$/.test(path)

/** Fields for what a schedule runs: the node, and an action of it or a workflow of its project. */
export function WhatFields({ form, onChange, errors, isNodeFixed }: FieldsProps & { isNodeFixed: boolean }) {
  const listId = useId()
  const { node, kind } = form
  const [text, setText] = useDebounced(node, value => onChange({ node: value.trim(), kind: 'action', action: '' }))
  const nodes = useList<'node_summary'>(
    '/api/nodes',
    { 'filter[path_cont]': node, 'fields[node_summary]': 'path,name', limit: 20 },
    { enabled: !isNodeFixed },
  )
  const isProject = /^\/projects\/[^/]+$/.test(node)
  return (
    <>
      <TextField
        label={texts.node}
        hint={isNodeFixed ? undefined : texts.nodeHint}
        value={text}
        onChange={setText}
        readOnly={isNodeFixed}
        list={listId}
        spellCheck={false}
        autoComplete="off"
      />
      {!isNodeFixed && (
        <datalist id={listId}>
          {nodes.records.map(({ id, attributes: { path, name } }) => (
            <option key={id} value={path}>
              {name}
            </option>
          ))}
        </datalist>
      )}
      {isProject && !isNodeFixed && (
        <Select
          label={texts.kind}
          value={kind}
          onChange={value => onChange({ kind: value === 'workflow' ? 'workflow' : 'action' })}
          options={[
            ['action', texts.kinds.action],
            ['workflow', texts.kinds.workflow],
          ]}
        />
      )}
      {kind === 'workflow' ? (
        <WorkflowField form={form} onChange={onChange} errors={errors} />
      ) : (
        <ActionFields key={node} form={form} onChange={onChange} errors={errors} />
      )}
    </>
  )
}

function WorkflowField({ form, onChange, errors }: FieldsProps) {
  const { records, query } = useList<'workflow'>(`/api${form.node}/workflows`, {
    'filter[archived_eq]': false,
    'filter[sorts]': 'name',
    limit: 1_000,
  })
  const published = records.filter(({ attributes }) => attributes.latest_published_version !== null)
  return (
    <Select
      label={texts.workflow}
      value={form.workflow}
      // The version of a schedule is one of its workflow.
      onChange={workflow => onChange({ workflow, version: null })}
      hint={query.isSuccess && published.length === 0 ? texts.noWorkflow : undefined}
      error={errors['workflow_code']}
      options={[
        ['', texts.choose],
        ...published.map(({ attributes }) => [attributes.code, `${attributes.name} (${attributes.code})`] as const),
      ]}
    />
  )
}

/** Action of an asset by its list; of other nodes by its name and the revision of a remote. */
function ActionFields({ form, onChange, errors }: FieldsProps) {
  const isAsset = /\/assets\/[^/]+$/.test(form.node)
  const asset = useRecord<'asset'>(`/api${form.node}`, undefined, { enabled: isAsset && isNodePath(form.node) })
  const actions = ((asset.data?.attributes.actions ?? []) as readonly { readonly action: string }[]).map(
    ({ action }) => action,
  )
  if (isAsset && !asset.isError && (asset.isPending || actions.length > 0)) {
    const known = form.action === '' || actions.includes(form.action) ? actions : [form.action, ...actions]
    return (
      <Select
        label={texts.action}
        value={form.action}
        onChange={action => onChange({ action })}
        error={errors['action']}
        options={[['', texts.choose], ...known.map(action => [action, action] as const)]}
      />
    )
  }
  return (
    <>
      <TextField
        label={texts.action}
        value={form.action}
        onChange={action => onChange({ action })}
        error={errors['action']}
        spellCheck={false}
        autoComplete="off"
      />
      {isNodePath(form.node) && !isAsset && (
        <div className={styles['pair']}>
          <TextField
            label={texts.gitRemote}
            value={form.gitRemote}
            onChange={gitRemote => onChange({ gitRemote })}
            error={errors['git_remote_name']}
            spellCheck={false}
          />
          <TextField
            label={texts.gitRev}
            hint={texts.gitRevHint}
            value={form.gitRev}
            onChange={gitRev => onChange({ gitRev })}
            error={errors['git_rev']}
            spellCheck={false}
          />
        </div>
      )}
    </>
  )
}
