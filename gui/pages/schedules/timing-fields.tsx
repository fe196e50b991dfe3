import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { Select, TextField } from '../../components/field/field.tsx'
import { fieldFaults } from '../../components/field/field-faults.ts'
import { faultText } from '../../components/state/state.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { cronInWords } from './cron-words.ts'
import { timingOf } from './schedule-form.ts'
import styles from './schedules-page.module.css'
import type { FieldsProps } from './what-fields.tsx'
import { clockChanges, shortTime, timeZones } from './zone-time.ts'

const zones = timeZones().map(zone => [zone, zone] as const)

/** Fields for when a schedule is due, and the next times at which it is. */
export function TimingFields({ form, onChange, errors }: FieldsProps) {
  const preview = usePreview(timingOf(form))
  const previewed = fieldFaults(preview.error, ['time_zone', 'cron_schedule', 'run_at']).fields
  const errorAt = (name: string) => errors[name] ?? previewed[name]
  const words = cronInWords(form.cron)
  return (
    <>
      <div className={styles['pair']}>
        <Select
          label={texts.timing}
          value={form.timing}
          onChange={value => onChange({ timing: value === 'once' ? 'once' : 'cron' })}
          options={[
            ['cron', texts.timings.cron],
            ['once', texts.timings.once],
          ]}
        />
        <Select
          label={texts.zone}
          value={form.zone}
          onChange={zone => onChange({ zone })}
          error={errorAt('time_zone')}
          options={zones.some(([zone]) => zone === form.zone) ? zones : [[form.zone, form.zone], ...zones]}
        />
      </div>
      {form.timing === 'cron' ? (
        <TextField
          label={texts.cron}
          hint={words === undefined ? texts.cronHint : `${capitalized(words)}. ${texts.cronHint}`}
          value={form.cron}
          onChange={cron => onChange({ cron })}
          error={errorAt('cron_schedule')}
          spellCheck={false}
          autoComplete="off"
        />
      ) : (
        <TextField
          label={texts.runAt}
          hint={texts.zoneOf(form.zone)}
          type="datetime-local"
          value={form.runAt}
          onChange={runAt => onChange({ runAt })}
          error={errorAt('run_at')}
        />
      )}
      <Preview times={preview.data} zone={form.zone} error={preview.error} />
    </>
  )
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface PreviewAnswer {
  readonly data: { readonly attributes: { readonly next_due_times: readonly string[] } }
}

/** Next due times of a rule, asked for once typing rests. */
function usePreview(timing: ReturnType<typeof timingOf>) {
  const wanted = JSON.stringify(timing ?? null)
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), 300)
    return () => clearTimeout(timer)
  }, [wanted])
  return useQuery({
    queryKey: ['schedule-preview', asked],
    queryFn: async () => {
      const answer = await sluice().send('POST', '/api/scheduled_activities/preview', {
        data: { attributes: JSON.parse(asked) as unknown },
      })
      return (answer as unknown as PreviewAnswer).data.attributes.next_due_times
    },
    enabled: asked !== 'null',
    gcTime: 0,
  })
}

interface PreviewProps {
  readonly times: readonly string[] | undefined
  readonly zone: string
  readonly error: unknown
}

function Preview({ times, zone, error }: PreviewProps) {
  const mine = userTimeZone()
  const changes = clockChanges(times ?? [])
  return (
    <section className={styles['preview']} aria-label={texts.preview}>
      <h3>{texts.preview}</h3>
      {times ? (
        <ol aria-label={texts.previewLabel}>
          {times.map((time, i) => (
            <li key={time}>
              <span>{shortTime(time, zone)}</span>
              {shortTime(time, mine) !== shortTime(time, zone) && (
                <span className={styles['soft']}>{texts.mine(shortTime(time, mine))}</span>
              )}
              {changes[i] && (
                <span className={styles['change']}>{texts.clockChange(changes[i].before, changes[i].after)}</span>
              )}
            </li>
          ))}
        </ol>
      ) : (
        <p className={styles['soft']}>{error ? faultText(error) : texts.previewNone}</p>
      )}
    </section>
  )
}
