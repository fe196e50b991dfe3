import { Checkbox, SearchField, Select, TextArea, TextField } from '../../components/field/field.tsx'
import { Specimen } from '../specimen.tsx'

const change = () => {}
const actions = [
  ['rollout', 'Roll the release out'],
  ['check', 'Check the machine'],
] as const

export function FieldPage() {
  return (
    <>
      <Specimen title="Text">
        <TextField label="Name" value="Front" onChange={change} />
        <TextField label="Path" value="" placeholder="/projects/…" onChange={change} />
        <TextField label="Password" type="password" value="secret" onChange={change} />
        <TextField label="Read only" value="bank" readOnly onChange={change} />
      </Specimen>
      <Specimen title="Hint and error">
        <TextField label="Port" value="http" error="Should be a whole number from 0 to 65535." onChange={change} />
        <TextField
          label="Code"
          value="Live!"
          hint="Letters, digits and hyphens."
          error="Not allowed: !"
          onChange={change}
        />
      </Specimen>
      <Specimen title="Choice and several lines">
        <Select label="Action" value="rollout" options={actions} onChange={change} />
        <Select label="With an error" value="check" options={actions} error="This action is gone." onChange={change} />
        <TextArea label="Message" value={'Approved after the check of\nthe dashboards.'} onChange={change} />
      </Specimen>
      <Specimen title="Date, search and boxes">
        <TextField label="From" type="datetime-local" value="2026-11-27T10:00" onChange={change} />
        <SearchField label="Filter by name" value="front" onChange={change} />
        <Checkbox label="Only what failed" checked={false} onChange={change} />
        <Checkbox label="Keep the steps that succeeded and ask again for approvals" checked onChange={change} />
      </Specimen>
    </>
  )
}
