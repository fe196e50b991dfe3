import { useQuery } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import { useRecord } from '../../api/queries.ts'
import type { PropertiesVersion, Resource } from '../../api/records.ts'
import type { CompletionSource } from '../../components/editor/completion.ts'
import { Editor } from '../../components/editor/editor.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { EmptyState, Skeleton } from '../../components/state/state.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { encryption } from '../../messages/encryption.ts'
import { general } from '../../messages/general.ts'
import type { Data } from './data.ts'
import { DocumentEditor } from './document-editor.tsx'
import { type ConfigurationTabProps, mayOn, ownPath, type Part } from './node.ts'
import type { OwnRecord } from './own-record.ts'
import { endOfDay, isAfter } from './stops.ts'
import { useDocumentText } from './use-document-text.ts'

/** Milliseconds between looks for a version that was saved elsewhere. */
const pollEvery = 10_000

interface OwnDocumentProps extends ConfigurationTabProps {
  readonly part: Part
  /** Time whose version is shown; undefined for the current one, which can be edited. */
  readonly at?: string | undefined
  readonly completion?: CompletionSource
}

/** Document that a node itself sets: an editor, or the version of a past time. */
export function OwnDocument({ node, path, part, at, completion }: OwnDocumentProps) {
  const own = ownPath(node, part)
  if (own === undefined) return <EmptyState title={general.notFound}>{general.notFoundDetail}</EmptyState>
  return at === undefined ? (
    <CurrentDocument node={node} path={path} part={part} own={own} {...(completion && { completion })} />
  ) : (
    <PastDocument own={own} part={part} at={at} />
  )
}

function CurrentDocument({ node, path, part, own, completion }: OwnDocumentProps & { own: string }) {
  const record = useRecord<'properties'>(own, undefined, { every: pollEvery })
  if (record.data === undefined) return <Unread query={record} />
  return (
    <DocumentEditor
      own={own}
      part={part}
      record={record.data as OwnRecord}
      readOnlyReason={whyReadOnly(node, path, part)}
      {...(completion && { completion })}
      {...(part === 'properties' && {
        secrets: {
          nodePath: path,
          disabledReason: mayOn(node, 'secrets', 'store') ? undefined : encryption.needsStore,
        },
      })}
      onReload={record.refetch}
    />
  )
}

/** Why the user cannot change the document; undefined if that is possible. */
export function whyReadOnly({ attributes, ...node }: ConfigurationTabProps['node'], path: string, part: Part) {
  if (attributes.archived) return texts.readOnlyArchived
  return mayOn({ attributes, ...node }, part, 'update') ? undefined : texts.readOnlyNeedsRight(part, path)
}

function PastDocument({ own, part, at }: { own: string; part: Part; at: string }) {
  const found = useQuery({
    queryKey: [...recordKey(own), 'at', at],
    queryFn: async () => (await versionAt(own, at)) ?? null,
  })
  if (found.data === undefined) return <Unread query={found} />
  if (found.data === null) return <EmptyState title={texts.emptyVersion} />
  return <PastVersion path={`${own}/versions/${found.data}`} part={part} />
}

/** Number of the version that was current at a time; undefined before the first one. */
async function versionAt(own: string, at: string): Promise<number | undefined> {
  for await (const { data } of sluice().pages(`${own}/versions`, { exclude_data: true, limit: 500 })) {
    const versions = data as unknown as Resource<PropertiesVersion>[]
    const found = versions.find(({ attributes }) => !isAfter(attributes.active_from, endOfDay(at)))
    if (found) return found.attributes.version
  }
  return undefined
}

function PastVersion({ path, part }: { path: string; part: Part }) {
  const version = useRecord<'properties_version'>(path)
  const text = useDocumentText(version.data?.attributes.data as Data | undefined, 'yaml')
  if (version.data === undefined) return <Unread query={version} />
  if (text === undefined) return <Skeleton />
  return <Editor label={texts[part]} value={text} language="yaml" readOnly />
}
