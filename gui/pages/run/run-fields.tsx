import { useId } from 'react'
import { useList } from '../../api/queries.ts'
import { Editor } from '../../components/editor/editor.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../components/field/field.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { run as texts } from '../../messages/run.ts'
import type { Data } from '../configuration/data.ts'
import { usePropertyCompletion } from '../configuration/use-property-completion.ts'
import type { OfferedAction } from '../projects/action.ts'
import { useReadyVersions } from '../projects/use-versions.ts'
import { Difference } from './difference.tsx'
import type { RunForm } from './run-form.ts'
import styles from './run-sheet.module.css'

export interface RunFieldsProps {
  readonly form: RunForm
  readonly onChange: (change: Partial<RunForm>) => void
  /** Error of the field at a pointer of the request. */
  readonly errorOf: (attribute: string) => string | undefined
}

interface OwnActionProps extends RunFieldsProps {
  readonly actions: readonly OfferedAction[]
}

/** Field that chooses one of the actions of an asset. */
export function OwnActionField({ form, onChange, errorOf, actions }: OwnActionProps) {
  const isOffered = form.action === '' || actions.some(({ action }) => action === form.action)
  return (
    <Select
      label={texts.action}
      value={form.action}
      onChange={action => onChange({ action, startingStep: '', skipSteps: '' })}
      error={errorOf('action')}
      hint={actions.find(({ action }) => action === form.action)?.description}
      options={[
        ['', texts.chooseAction],
        ...actions.map(({ action }) => [action, action] as const),
        ...(isOffered ? [] : [[form.action, form.action] as const]),
      ]}
    />
  )
}

/** Fields of an action of a project or environment, which comes from a Git remote. */
export function ForeignActionFields({ form, onChange, errorOf, project }: RunFieldsProps & { project: string }) {
  const remotes = useList<'git_remote'>(`/api${project}/git_remotes`, { limit: 1_000 })
  return (
    <div className={styles['pair']}>
      <Select
        label={texts.gitRemote}
        value={form.gitRemote}
        onChange={gitRemote => onChange({ gitRemote })}
        error={errorOf('git_remote_name')}
        options={[
          ['', texts.chooseGitRemote],
          ...remotes.records.map(({ attributes: { name } }) => [name, name] as const),
        ]}
      />
      <TextField
        label={texts.gitRev}
        hint={texts.gitRevHint}
        value={form.gitRev}
        onChange={gitRev => onChange({ gitRev })}
        error={errorOf('git_rev')}
        spellCheck={false}
      />
      <TextField
        label={texts.action}
        value={form.action}
        onChange={action => onChange({ action })}
        error={errorOf('action')}
        spellCheck={false}
      />
    </div>
  )
}

/** What a retry begins with: the form as filled in from the original, and its property overrides. */
export interface Original {
  readonly form: InputForm
  readonly overrides: Data
}

/** Fields that a run, its retry, a workflow run and a schedule have in common. */
export type InputForm = Pick<RunForm, 'skipSteps' | 'metadata' | 'overrides'>

interface InputFieldsProps {
  readonly form: InputForm
  readonly onChange: (change: Partial<InputForm>) => void
  /** Error of the field at a pointer of the request. */
  readonly errorOf: (attribute: string) => string | undefined
  /** Path of the node whose properties the overrides are merged with, for the completion. */
  readonly path?: string | undefined
  /** Whether steps are skipped by their names, as in workflows, instead of their full paths. */
  readonly skipsByName?: boolean
  /** Of a retry: fields that differ from it are marked. */
  readonly original?: Original | undefined
  /** Property overrides as read; undefined while they are wrong. */
  readonly readOverrides?: Data | undefined
}

/** Fields for the steps to skip, the metadata and the property overrides. */
export function InputFields(props: InputFieldsProps) {
  const { form, onChange, errorOf, path, skipsByName, original, readOverrides } = props
  const completion = usePropertyCompletion(path)
  const differenceOf = (name: 'skipSteps' | 'metadata') =>
    original && (
      <Difference
        of={texts[name]}
        before={original.form[name]}
        now={form[name]}
        onRestore={() => onChange({ [name]: original.form[name] })}
      />
    )
  return (
    <>
      <div className={styles['pair']}>
        <div className={styles['group']}>
          <TextArea
            label={texts.skipSteps}
            hint={skipsByName ? texts.skipNamesHint : texts.skipStepsHint}
            value={form.skipSteps}
            onChange={skipSteps => onChange({ skipSteps })}
            error={errorOf('skip_steps')}
            rows={2}
            spellCheck={false}
          />
          {differenceOf('skipSteps')}
        </div>
        <div className={styles['group']}>
          <TextArea
            label={texts.metadata}
            hint={texts.metadataHint}
            value={form.metadata}
            onChange={metadata => onChange({ metadata })}
            error={errorOf('metadata')}
            rows={2}
            spellCheck={false}
          />
          {differenceOf('metadata')}
        </div>
      </div>
      <div className={styles['group']}>
        <span className={styles['label']}>{texts.overrides}</span>
        <Editor
          label={texts.overrides}
          language="yaml"
          value={form.overrides}
          {...(completion && { completion })}
          onChange={overrides => onChange({ overrides })}
        />
        <span className={styles['hint']}>{texts.overridesHint}</span>
        <FieldError text={errorOf('property_overrides')} />
        {original && (
          <Difference
            of={texts.overrides}
            before={dataText(original.overrides)}
            now={readOverrides ? dataText(readOverrides) : form.overrides}
            onRestore={() => onChange({ overrides: original.form.overrides })}
          />
        )}
      </div>
    </>
  )
}

const dataText = (data: Data): string => (Object.keys(data).length === 0 ? '' : JSON.stringify(data))

interface OptionFieldsProps extends RunFieldsProps, Pick<InputFieldsProps, 'path' | 'original' | 'readOverrides'> {
  /** Full paths of the steps of the plan, offered for the starting step. */
  readonly stepPaths: readonly string[]
  /** Template of an asset with the version in use. */
  readonly template?: { readonly path: string; readonly version: string | null } | undefined
  readonly isRetry: boolean
}

/** Fields that most runs leave as they are. */
export function OptionFields(props: OptionFieldsProps) {
  const { form, onChange, errorOf, template, isRetry } = props
  return (
    <>
      {!isRetry && (
        <div className={styles['pair']}>
          {template && <VersionField {...props} template={template} />}
          <TextField
            label={texts.notBefore}
            hint={texts.notBeforeHint(userTimeZone())}
            type="datetime-local"
            value={form.notBefore}
            onChange={notBefore => onChange({ notBefore })}
            error={errorOf('run_at')}
          />
          <StartingStepField
            value={form.startingStep}
            onChange={startingStep => onChange({ startingStep })}
            error={errorOf('starting_step')}
            stepPaths={props.stepPaths}
          />
        </div>
      )}
      <InputFields {...props} />
      {isRetry ? (
        <Checkbox label={texts.refresh} checked={form.refresh} onChange={refresh => onChange({ refresh })} />
      ) : (
        <Checkbox
          label={texts.autoContinue}
          checked={form.autoContinue}
          onChange={autoContinue => onChange({ autoContinue })}
        />
      )}
    </>
  )
}

interface StartingStepFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  /** Full paths that are offered. */
  readonly stepPaths: readonly string[]
}

/** Field for the first step to run. */
export function StartingStepField({ stepPaths, ...field }: StartingStepFieldProps) {
  const listId = useId()
  return (
    <>
      <TextField
        {...field}
        label={texts.startingStep}
        hint={texts.startingStepHint}
        list={listId}
        spellCheck={false}
        autoComplete="off"
      />
      <datalist id={listId}>
        {stepPaths.map(path => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}

function VersionField({
  form,
  onChange,
  errorOf,
  template: { path, version },
}: RunFieldsProps & { template: { readonly path: string; readonly version: string | null } }) {
  const { records } = useReadyVersions(path)
  return (
    <Select
      label={texts.templateVersion}
      value={form.templateVersion}
      onChange={templateVersion => onChange({ templateVersion })}
      error={errorOf('template_version')}
      options={[
        ['', texts.currentVersion(version ?? '')],
        ...records
          .map(({ attributes }) => attributes.version)
          .filter(each => each !== version)
          .map(each => [each, each] as const),
      ]}
    />
  )
}

const FieldError = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <span className={styles['before']} role="alert">
      {text}
    </span>
  )
