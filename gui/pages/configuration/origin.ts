import type { Resource } from '../../api/records.ts'

/** Layer of the configuration that a value comes from. */
export interface Origin {
  readonly kind: OriginKind
  /** Name of the owner, or path of the file. */
  readonly name: string
  /** Version of the owner's document. */
  readonly version?: number
  /** Path of the owner, if it is a node. */
  readonly path?: string
}

export type OriginKind =
  | 'repository'
  | 'project'
  | 'environment'
  | 'template'
  | 'template_version'
  | 'asset'
  | 'agent'
  | 'change'
  | 'global'
  | 'default'
  | 'environment_variable'
  | 'unknown'

/** Kinds by the beginning of the API's text for a source. */
const kinds: Readonly<Record<string, OriginKind>> = {
  Repository: 'repository',
  Project: 'project',
  Environment: 'environment',
  Template: 'template',
  'Template version': 'template_version',
  Asset: 'asset',
  Agent: 'agent',
  Change: 'change',
  Global: 'global',
  Default: 'default',
  'Environment variable': 'environment_variable',
}

/** Included record of a version: which layer it is, and its number. */
type Included = Resource<{ readonly owner_type?: string; readonly version?: number }>

/**
 * Origin for the text of a source: `Project: Bank (bank)`.
 *
 * @param included records beside the converged document; each kind of owner occurs at most once
 */
export function originOf(source: string, included: readonly Included[] = []): Origin {
  const [, word = source, name = ''] = /^([^:]+)(?:: (.*))?$/s.exec(source) ?? []
  const kind = kinds[word] ?? 'unknown'
  const record = included.find(({ attributes }) => attributes.owner_type === word)
  const owner = record?.links?.['owner']?.replace(/^\/api/, '')
  return {
    kind,
    name: kind === 'unknown' ? source : name,
    ...(record?.attributes.version !== undefined && { version: record.attributes.version }),
    ...(owner !== undefined && nodeKinds.has(kind) && { path: owner }),
  }
}

const nodeKinds: ReadonlySet<OriginKind> = new Set(['project', 'environment', 'asset', 'agent'])
