import { type ReactNode, useId } from 'react'
import { useDocument } from '../../api/queries.ts'
import type { Resource } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { TextField } from '../../components/field/field.tsx'
import { access as texts } from '../../messages/access.ts'

interface PathFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Most nodes that complete a path. */
const most = 1_000

/** Paths of the installation and of the nodes that the user may read, to complete what is typed. */
function usePaths(): readonly string[] {
  const { meta } = useMe()
  const nodes = useDocument<{ data: readonly Resource<{ path: string }>[] }>('/api/nodes', {
    limit: most,
    'fields[node_summary]': 'path',
  })
  return [
    ...Object.keys((meta?.['authorisations'] ?? {}) as object),
    ...(nodes.data?.data.map(({ attributes }) => attributes.path) ?? []),
  ]
}

/** Field for a path on which rights are given or checked. */
export function PathField(props: PathFieldProps) {
  const id = useId()
  const paths = usePaths()
  return (
    <>
      <TextField
        {...props}
        title={props.value}
        list={id}
        placeholder={texts.pathHint}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={id}>
        {paths.map(each => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
