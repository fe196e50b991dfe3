import { Duration, Time } from '../../components/time/time.tsx'
import { ago } from '../samples.ts'
import { Specimen } from '../specimen.tsx'

const seconds = [-90_000, -7_200, -61, 5, 42, 610, 7_300, 90_000, 2_700_000, 40_000_000]
const durations = [0.617, 4.81, 42, 124, 11_520, 187_200]

export function TimePage() {
  return (
    <>
      <Specimen title="Relative to now" row>
        {seconds.map(each => (
          <Time key={each} at={ago(each)} />
        ))}
        <Time at={null} />
      </Specimen>
      <Specimen title="Absolute" row>
        <Time at="2026-11-27T10:00:00Z" absolute />
      </Specimen>
      <Specimen title="Durations" row>
        {durations.map(each => (
          <Duration key={each} from={ago(each)} to={ago(0)} />
        ))}
        <Duration from={ago(75)} />
        <Duration from={null} />
      </Specimen>
    </>
  )
}
