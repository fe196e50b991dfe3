import { SettingsForm } from '../../components/settings-form/settings-form.tsx'
import { settingFields, settingValues } from '../samples.ts'
import { Specimen } from '../specimen.tsx'

const ignore = () => {}
const own = {
  'runner.limit': 900,
  'mail.password': '{{hidden}}',
  'mail.recipients': ['ann@example.com', 'bob@example.com'],
  maintenance_window: { from: '22:00', to: '04:00' },
}

const originOf = (name: string) => (name === 'runner.driver' ? 'from /projects/bank' : 'default')

export function SettingsFormPage() {
  return (
    <>
      <Specimen title="Inherited values, own values, an error" inside="configuration" wide>
        <SettingsForm
          fields={settingFields}
          own={own}
          effective={settingValues}
          originOf={originOf}
          errors={{ 'runner.limit': 'Must be at most 500.' }}
          onSet={ignore}
          onUnset={ignore}
          onBegin={ignore}
        />
      </Specimen>
      <Specimen title="Not permitted" inside="configuration" wide>
        <SettingsForm
          fields={settingFields.slice(1, 3)}
          own={{ 'runner.limit': 100 }}
          effective={settingValues}
          originOf={originOf}
          readOnlyReason={'You need the right "update" on /projects/bank.'}
          onSet={ignore}
          onUnset={ignore}
          onBegin={ignore}
        />
      </Specimen>
    </>
  )
}
