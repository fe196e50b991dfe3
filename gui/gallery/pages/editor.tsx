import { Editor } from '../../components/editor/editor.tsx'
import { Specimen } from '../specimen.tsx'

const yaml = `# Properties of the environment
web:
  port: 443
  workers: four
  hosts: [web-01, web-02]
tls:
  enabled: true
  certificate: null
motd: "Welcome to a text that is so long that a narrow window has to scroll it sideways"
`
const json = '{\n  "release": 12,\n  "approved": true,\n  "by": ["ann", "bob"]\n}\n'

export function EditorPage() {
  return (
    <>
      <Specimen title="YAML with an error and a warning">
        <Editor
          label="Properties"
          language="yaml"
          value={yaml}
          onChange={() => {}}
          problems={[
            { line: 4, column: 12, message: 'Should be a whole number.' },
            { line: 8, message: 'No certificate is set.', severity: 'warning' },
          ]}
        />
      </Specimen>
      <Specimen title="JSON, read only">
        <Editor label="Result" language="json" value={json} readOnly />
      </Specimen>
    </>
  )
}
