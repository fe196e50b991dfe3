import { Diff } from '../../components/diff/diff.tsx'
import { Specimen } from '../specimen.tsx'

const unchanged = Array.from({ length: 14 }, (_, i) => `  unchanged-${i + 1}: true\n`).join('')
const before = `web:\n  port: 80\n  workers: 2\n${unchanged}tls:\n  enabled: false\n`
const after = `web:\n  port: 443\n  workers: 2\n${unchanged}tls:\n  enabled: true\n  certificate: front\n`

export function DiffPage() {
  return (
    <>
      <Specimen title="Side by side" wide>
        <Diff before={before} after={after} beforeLabel="Version 3" afterLabel="Version 4" language="yaml" />
      </Specimen>
      <Specimen title="Unified, editable">
        <Diff
          before={before}
          after={after}
          beforeLabel="Stored meanwhile"
          afterLabel="Yours"
          language="yaml"
          layout="unified"
          onChange={() => {}}
        />
      </Specimen>
    </>
  )
}
