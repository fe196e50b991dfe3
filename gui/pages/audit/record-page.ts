import type { Resource } from '../../api/records.ts'

/** Attributes of an event that say where the page of the record is that it relates to. */
interface EventRecord {
  readonly source_type: unknown
  readonly source_id: unknown
  readonly node_path: unknown
  readonly name?: unknown
  readonly authorisation_policy_id?: unknown
  readonly template_code?: unknown
  readonly workflow_code?: unknown
}

/** Event as far as its links depend on it. */
export interface LinkedEvent {
  readonly attributes: EventRecord
  readonly relationships?: Resource['relationships']
}

/** Address within the application. */
export interface PageAddress {
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

/** Address of the page of the record that an event relates to; undefined if the application has none. */
export function recordPage({ attributes, relationships }: LinkedEvent): PageAddress | undefined {
  const { source_type: type, source_id: id, node_path: path, name } = attributes
  if (type === 'git_remote')
    return isText(path) && isText(name) ? { to: path, search: { tab: 'remotes', remote: name } } : undefined
  if (type !== 'step' && type !== 'workflow_step') {
    const to = pathOf(attributes)
    return to === undefined ? undefined : { to }
  }
  const activity = relationships?.['activity']?.data
  if (!activity || Array.isArray(activity)) return undefined
  return { to: `/activities/${activity.id}`, ...(isText(id) && { search: { step: id } }) }
}

function pathOf(event: EventRecord): string | undefined {
  const { source_type: type, source_id: id, node_path: path, name } = event
  switch (type) {
    case 'project':
    case 'environment':
    case 'asset':
    case 'agent':
    case 'properties':
    case 'settings':
    case 'bookmark':
      return isText(path) ? path : undefined
    case 'change':
    case 'workflow_run':
      return isText(id) ? `/activities/${id}` : undefined
    case 'authorisation_policy':
      return isText(id) ? `/access/policies/${id}` : undefined
    case 'policy_assignment':
    case 'policy_rule':
      return isText(event.authorisation_policy_id) ? `/access/policies/${event.authorisation_policy_id}` : undefined
    case 'template_version': {
      const page = inProject('templates', path, event.template_code)
      return page !== undefined && isText(name) ? `${page}/${encodeURIComponent(name)}` : page
    }
    case 'workflow':
    case 'workflow_version':
      return inProject('workflows', path, event.workflow_code)
    case 'user':
      return isText(name) ? `/access/users/${encodeURIComponent(name)}` : undefined
    default:
      return undefined
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Page of a record of a project, by the code of the project in the path of the node. */
function inProject(collection: string, path: unknown, code: unknown): string | undefined {
  const [, project] = /^\/projects\/([^/]+)/.exec(isText(path) ? path : '') ?? []
  return project !== undefined && isText(code) ? `/${collection}/${project}/${code}` : undefined
}
