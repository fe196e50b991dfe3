import { Switch } from '../../components/switch/switch.tsx'
import { Specimen } from '../specimen.tsx'

const change = () => {}

export function SwitchPage() {
  return (
    <Specimen title="Off, on, off with a reason, on with a reason, busy" row>
      <Switch label="Schedule nightly" checked={false} onChange={change} />
      <Switch label="Schedule backup" checked onChange={change} />
      <Switch label="Schedule report" checked={false} onChange={change} disabledReason="You may not change it." />
      <Switch label="Schedule cleaning" checked onChange={change} disabledReason="You may not change it." />
      <Switch label="Schedule check" checked onChange={change} busy />
    </Specimen>
  )
}
