import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { Button, IconButton } from '../../components/button/button.tsx'
import { dateTime } from '../../components/time/format.ts'
import { configuration as texts } from '../../messages/configuration.ts'
import { type Stop, stopAt, timeOfStop } from './stops.ts'
import styles from './time-slider.module.css'

interface TimeSliderProps {
  readonly stops: readonly Stop[]
  /** Time that is shown; undefined for the present. */
  readonly at: string | undefined
  readonly onChange: (at: string | undefined) => void
}

/** Slider over the times at which a layer got a new version; the arrow keys step through them. */
export function TimeSlider({ stops, at, onChange }: TimeSliderProps) {
  const index = stopAt(stops, at)
  const last = stops.length - 1
  const stop = stops[index]
  const go = (to: number) => onChange(timeOfStop(stops, to))
  const text = useMemo(() => describe(stop), [stop])
  const time = at === undefined ? texts.present : texts.past(dateTime(at))
  if (last < 1 && at === undefined) return <p className={styles['only']}>{texts.oneStop}</p>
  return (
    <div className={styles['slider']} data-past={at !== undefined || undefined}>
      <IconButton
        label={texts.earlier}
        variant="quiet"
        size="small"
        disabledReason={index <= 0 ? texts.created : undefined}
        onClick={() => go(index - 1)}
      >
        <ChevronLeft size={17} aria-hidden />
      </IconButton>
      <input
        type="range"
        className={styles['range']}
        aria-label={texts.slider}
        aria-valuetext={`${time}: ${text}`}
        min={0}
        max={last}
        step={1}
        value={index}
        onChange={event => go(Number(event.target.value))}
      />
      <IconButton
        label={texts.later}
        variant="quiet"
        size="small"
        disabledReason={at === undefined ? texts.present : undefined}
        onClick={() => go(index + 1)}
      >
        <ChevronRight size={17} aria-hidden />
      </IconButton>
      <span className={styles['time']}>{time}</span>
      <span className={styles['text']} title={text}>
        {text}
      </span>
      {at !== undefined && (
        <Button size="small" onClick={() => onChange(undefined)}>
          {texts.backToNow}
        </Button>
      )}
    </div>
  )
}

const describe = (stop: Stop | undefined): string =>
  stop === undefined || stop.changes.length === 0
    ? texts.created
    : stop.changes.map(({ type, name, version }) => texts.stopChange(type, name, version)).join(', ')
