import { useList } from '../../../api/queries.ts'
import { Select } from '../../../components/field/field.tsx'
import { FormError } from '../../../components/form-dialog/form-error.tsx'
import { faultText } from '../../../components/state/state.tsx'
import { nodeDialogs as texts } from '../../../messages/projects.ts'
import type { NodeType } from '../node.ts'
import { useReadyVersions } from '../use-versions.ts'
import { versionSource } from '../versions.ts'

interface TemplateChoice {
  readonly code: string
  readonly version: string
}

interface TemplateFieldsProps {
  /** Path of the project whose templates are offered. */
  readonly project: string
  readonly type: NodeType
  readonly value: TemplateChoice
  readonly onChange: (value: TemplateChoice) => void
  readonly errors: Readonly<Record<string, string>>
}

/** Fields that choose a template of a project and one of its versions that are ready. */
export function TemplateFields({ project, type, value, onChange, errors }: TemplateFieldsProps) {
  const templates = useList<'template'>(`/api${project}/templates`, {
    limit: 1_000,
    'filter[template_type_eq]': type,
    'filter[archived_eq]': false,
    'filter[disabled_eq]': false,
  })
  const codes = templates.records.map(({ attributes }) => attributes.code)
  return (
    <>
      <Select
        label={texts.template}
        value={value.code}
        onChange={code => onChange({ code, version: '' })}
        error={errors['template_code']}
        hint={templates.query.isSuccess && codes.length === 0 ? texts.noTemplates : undefined}
        options={[
          ['', texts.chooseTemplate],
          ...templates.records.map(({ attributes: { code, name } }) => [code, `${name} (${code})`] as const),
        ]}
      />
      <FormError text={templates.query.isError ? faultText(templates.query.error) : undefined} />
      <VersionField
        template={value.code === '' ? undefined : `${project}/templates/${value.code}`}
        value={value.version}
        onChange={version => onChange({ ...value, version })}
        error={errors['template_version']}
      />
    </>
  )
}

interface VersionFieldProps {
  /** Path of the template; undefined until one is chosen. */
  readonly template: string | undefined
  readonly value: string
  readonly onChange: (version: string) => void
  readonly error?: string | undefined
}

/** Field that chooses one of the versions of a template that are ready, the newest first. */
function VersionField({ template, value, onChange, error }: VersionFieldProps) {
  const versions = useReadyVersions(template)
  const known = template === undefined ? [] : versions.records
  return (
    <Select
      label={texts.version}
      value={value}
      onChange={onChange}
      error={error}
      hint={template !== undefined && versions.query.isSuccess && known.length === 0 ? texts.noVersions : undefined}
      options={[
        ['', texts.chooseVersion],
        ...known.map(({ attributes }) => {
          const text = [attributes.version, versionSource(attributes)].filter(Boolean).join(' · ')
          return [attributes.version, text] as const
        }),
      ]}
    />
  )
}
