import { useId } from 'react'
import { useList } from '../../api/queries.ts'
import { Editor } from '../../components/editor/editor.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../components/field/field.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { run as texts } from '../../messages/run.ts'
import type { OfferedAction } from '../projects/action.ts'
import { useReadyVersions } from '../projects/use-versions.ts'
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

interface OptionFieldsProps extends RunFieldsProps {
  /** Full paths of the steps of the plan, offered for the starting step. */
  readonly stepPaths: readonly string[]
  /** Template of an asset with the version in use. */
  readonly template?: { readonly path: string; readonly version: string | null } | undefined
  readonly isRetry: boolean
}

/** Fields that most runs leave as they are. */
export function OptionFields(props: OptionFieldsProps) {
  const { form, onChange, errorOf, stepPaths, template, isRetry } = props
  const listId = useId()
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
          <TextField
            label={texts.startingStep}
            hint={texts.startingStepHint}
            value={form.startingStep}
            onChange={startingStep => onChange({ startingStep })}
            error={errorOf('starting_step')}
            list={listId}
            spellCheck={false}
          />
          <datalist id={listId}>
            {stepPaths.map(path => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </div>
      )}
      <div className={styles['pair']}>
        <TextArea
          label={texts.skipSteps}
          hint={texts.skipStepsHint}
          value={form.skipSteps}
          onChange={skipSteps => onChange({ skipSteps })}
          error={errorOf('skip_steps')}
          rows={2}
          spellCheck={false}
        />
        <TextArea
          label={texts.metadata}
          hint={texts.metadataHint}
          value={form.metadata}
          onChange={metadata => onChange({ metadata })}
          error={errorOf('metadata')}
          rows={2}
          spellCheck={false}
        />
      </div>
      <div className={styles['group']}>
        <span className={styles['label']}>{texts.overrides}</span>
        <Editor
          label={texts.overrides}
          language="yaml"
          value={form.overrides}
          onChange={overrides => onChange({ overrides })}
        />
        <span className={styles['hint']}>{texts.overridesHint}</span>
        <FieldError text={errorOf('property_overrides')} />
      </div>
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
