import { Undo2 } from 'lucide-react'
import { configuration as texts } from '../../messages/configuration.ts'
import { general } from '../../messages/general.ts'
import { Button } from '../button/button.tsx'
import { Tag } from '../chip/chip.tsx'
import { SettingControl } from './setting-control.tsx'
import { groupsOf, type SettingField, settingText } from './setting-field.ts'
import styles from './settings-form.module.css'

export type Settings = Readonly<Record<string, unknown>>

interface SettingsFormProps {
  readonly fields: readonly SettingField[]
  /** Values that are set here; everything else is inherited. */
  readonly own: Settings
  /** Values in effect before anything is changed. */
  readonly effective: Settings
  /** Texts for the origins of inherited values. */
  readonly originOf: (name: string) => string | undefined
  /** Errors by the names of settings. */
  readonly errors?: Readonly<Record<string, string>>
  readonly readOnlyReason?: string | undefined
  readonly onSet: (field: SettingField, value: unknown) => void
  /** Removes the value, so that it is inherited again. */
  readonly onUnset: (field: SettingField) => void
  /** Begins to set a setting. */
  readonly onBegin: (field: SettingField) => void
}

/** Form of settings in groups. Each is inherited, and says from where, or is set here and has a control. */
export function SettingsForm(props: SettingsFormProps) {
  return (
    <div className={styles['form']}>
      {groupsOf(props.fields).map(([group, fields]) => (
        <section key={group} className={styles['group']}>
          <h2 className={styles['title']}>{group === '' ? texts.ungrouped : group}</h2>
          <ul>
            {fields.map(field => (
              <Row key={field.name} field={field} form={props} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Row({ field, form }: { field: SettingField; form: SettingsFormProps }) {
  const { own, effective, originOf, errors = {}, readOnlyReason } = form
  const isOwn = Object.hasOwn(own, field.name)
  const text = settingText(isOwn ? own[field.name] : effective[field.name])
  const origin = isOwn ? undefined : originOf(field.name)
  return (
    <li className={styles['row']} data-own={isOwn || undefined}>
      <div className={styles['about']}>
        <code className={styles['name']}>{field.name}</code>
        <p className={styles['description']}>{field.description}</p>
        {field.note !== undefined && <Tag>{field.note}</Tag>}
      </div>
      <div className={styles['value']}>
        {isOwn && readOnlyReason === undefined ? (
          <SettingControl
            field={field}
            value={own[field.name]}
            error={errors[field.name]}
            onChange={value => form.onSet(field, value)}
          />
        ) : (
          <p className={styles['inherited']}>
            <code title={text}>{text || general.none}</code>
            {origin !== undefined && <span className={styles['origin']}>{origin}</span>}
          </p>
        )}
        {isOwn ? (
          <Button
            size="small"
            variant="quiet"
            disabledReason={readOnlyReason}
            aria-label={`${texts.unset}: ${field.name}`}
            onClick={() => form.onUnset(field)}
          >
            <Undo2 size={14} aria-hidden />
            {texts.unset}
          </Button>
        ) : (
          <Button
            size="small"
            disabledReason={readOnlyReason}
            aria-label={`${texts.setHere} ${field.name}`}
            onClick={() => form.onBegin(field)}
          >
            {texts.setHere}
          </Button>
        )}
      </div>
    </li>
  )
}
