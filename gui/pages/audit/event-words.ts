import { eventActions, eventSubjects, eventTitles } from '../../messages/audit.ts'

/** Levels of event types that are shown with an icon. */
export type Level = 'error' | 'warn' | 'audit'

const levels: Readonly<Record<string, Level | undefined>> = {
  error: 'error',
  warn: 'warn',
  warning: 'warn',
  audit: 'audit',
}
const plainLevels = ['api', 'info']

/** Level of an event type, `level:subject:action`; undefined for ordinary events and for types of other programs. */
export function eventLevel(type: string): Level | undefined {
  const [level = '', ...rest] = type.split(':')
  return rest.at(-1) === 'error' || rest.at(-1) === 'system_error' ? 'error' : levels[level]
}

/**
 * Type of an event in words.
 *
 *     eventTitle('api:changes:create') // Change created
 */
export function eventTitle(type: string): string {
  if (Object.hasOwn(eventTitles, type)) return eventTitles[type] ?? type
  const [level = '', subject = '', ...actions] = type.split(':')
  if (!plainLevels.includes(level) && levels[level] === undefined) return type
  const action = actions.map(each => eventActions[each] ?? words(each)).join(' ')
  return capitalized(`${subjectWords(subject)} ${action}`.trim())
}

const subjectWords = (subject: string): string =>
  eventSubjects[subject] ?? words(subject.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''))

const words = (name: string): string => name.replaceAll('_', ' ')

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type Attributes = Readonly<Record<string, unknown>>

/** What an event says of itself beside its columns, in one line: an error, the version, what was changed, a message. */
export function eventFacts(attributes: Attributes): string {
  const { error, version, changed_pointers: pointers } = attributes
  const facts = [
    error,
    typeof version === 'number' ? `v${version}` : undefined,
    Array.isArray(pointers) ? pointers.join(', ') : undefined,
    attributes['reason'] ?? attributes['message'] ?? attributes['request_body_message'],
    ...Object.entries(attributes).flatMap(([name, value]) => (isFact(name, value) ? [named(name, value)] : [])),
  ]
  return facts.filter(each => typeof each === 'string' && each !== '').join(' · ')
}

const factNames = [
  'assignee',
  'groupname',
  'request_body_action',
  'request_body_username',
  'request_body_groupname',
  'request_body_code',
  'request_body_disabled',
  'password_changed',
  'success',
  'archived',
  'forced',
  'removed_count',
]

const isFact = (name: string, value: unknown): boolean => factNames.includes(name) && value !== null

const named = (name: string, value: unknown): string =>
  value === true ? words(name.replace('request_body_', '')) : `${words(name.replace('request_body_', ''))} ${value}`

/** Attributes of a request, of the record and of the event itself, as the sheet of an event shows them. */
export interface EventParts {
  readonly request: readonly (readonly [name: string, value: unknown])[]
  readonly details: readonly (readonly [name: string, value: unknown])[]
}

/** Attributes that have places of their own. */
const placed = new Set([
  'type',
  'username',
  'system',
  'created_at',
  'node_path',
  'source_type',
  'source_id',
  'hash',
  'seal_number',
  'previous_hash',
  'request_method',
  'request_path',
  'remote_address',
])

/** Sorts the attributes of an event for its sheet. */
export function eventParts(attributes: Attributes): EventParts {
  const others = Object.entries(attributes).filter(([name]) => !placed.has(name))
  const ofRequest = /^(request_body|url_params)_/
  return {
    request: others
      .filter(([name]) => ofRequest.test(name))
      .map(([name, value]) => [words(name.replace(ofRequest, '')), value]),
    details: others.filter(([name]) => !ofRequest.test(name)).map(([name, value]) => [words(name), value]),
  }
}
