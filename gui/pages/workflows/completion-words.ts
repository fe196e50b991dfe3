import type { Offer } from '../../components/editor/place.ts'

/** Keys of a definition, see docs/reference/workflow-yaml.md. */
const keys = [
  'steps',
  'type',
  'name',
  'target',
  'targets',
  'action',
  'template_version',
  'template_versions',
  'git_remote_name',
  'git_rev',
  'start_time',
  'property_overrides',
  'run_as',
  'ignore_failure',
  'seconds',
  'reset_on_retry',
  'requires_approval_from',
  'user_names',
  'ldap_groups',
  'required_approvals',
  'version',
  'children',
]
const values = ['sequential', 'parallel', 'change', 'wait', 'workflow', 'stage', 'true', 'false']

/** Offers for keys and values that a definition can have at some place. */
export const keywordOffers: readonly Offer[] = [
  ...keys.map(label => ({ label, type: 'property' as const, apply: `${label}: ` })),
  ...values.map(label => ({ label, type: 'constant' as const })),
]

/** Paths of nodes as offers, relative to their project as a definition writes them. */
export function nodeOffers(
  project: string,
  nodes: readonly { readonly path: string; readonly name: string }[],
): Offer[] {
  const prefix = `/projects/${project}/`
  return nodes.flatMap(({ path, name }) =>
    path.startsWith(prefix) ? [{ label: path.slice(prefix.length), detail: name, type: 'text' as const }] : [],
  )
}
