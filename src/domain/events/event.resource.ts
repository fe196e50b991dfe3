import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { byId } from '#platform/jsonapi/by-id.ts'
import { deepest } from '#platform/jsonapi/json.ts'
import type { Column, MemoryValue, Resource, Row } from '#platform/jsonapi/resource.ts'
import { underNode } from '#platform/jsonapi/under.ts'
import { jsonText } from '#platform/jsonapi/values-in-memory.ts'
import { pathOfSource, type Source } from './event-source.ts'

export const eventsPath = '/events'

/**
 * Attributes of an event about a node's model: shown to callers who may read its properties, but not filterable,
 * because not every caller may read them.
 */
const ofProperties = /^converged_properties(\.|$)/

/** Maximum depth: that of a document within an event. */
const mostParts = 2 * deepest

/** Type of the activity of an event whose source is that activity or a step of it: known also once it is purged. */
const activityType = sql`(
  case when e.activity_id is not null then
         case e.source_type when 'change' then 'change' when 'step' then 'change'
                            when 'workflow_run' then 'workflow_run' when 'workflow_step' then 'workflow_run' end end)`

const activityOf = sql`(
  case when ${activityType} is not null then jsonb_build_object('type', ${activityType}, 'id', e.activity_id) end)`

/**
 * JSON:API resource of an event of the audit trail. The attributes of its type are shown with the common ones, and can
 * be filtered by under their names.
 */
export const eventResource: Resource = {
  type: 'event',
  describe: 'Audit event: what happened, by whom and to which record; written once and sealed into a hash chain.',
  from: sql`events e left join event_seals s on s.event_id = e.id`,
  id: sql`e.id`,
  lists: [{ path: '/api/events' }],
  shows: [{ path: '/api/events/:id', find: params => sql<boolean>`e.id = ${params['id']}::uuid` }],
  columns: {
    username: { kind: 'text', sql: sql`e.username`, describe: 'User who did it; `system` for the service itself.' },
    system: { kind: 'boolean', sql: sql`e.system`, describe: 'Whether the service recorded it, not a user.' },
    type: { kind: 'text', sql: sql`e.type`, describe: 'level:subject:action.' },
    created_at: { kind: 'time', sql: sql`e.created_at`, describe: 'When it was recorded.' },
    node_path: optional('node_path', { kind: 'text', sql: sql`e.path`, describe: 'The node that it belongs to.' }),
    source_type: optional('source_type', { kind: 'text', sql: sql`e.source_type`, describe: 'Subject.' }),
    source_id: optional('source_id', {
      kind: 'id',
      sql: sql`e.source_id`,
      describe: 'Id of the record that it relates to.',
    }),
    name: ofSome('name', 'Name of the record.'),
    parent_code: ofSome('parent_code', 'Code of the parent node of the record.'),
    parent_node_type: ofSome('parent_node_type', 'Type of that node.'),
    hash: {
      kind: 'text',
      sql: sql`encode(s.hash, 'hex')`,
      nullable: true,
      describe: 'The hash of the chain up to it; null until it is sealed, within seconds.',
    },
    seal_number: optional('seal_number', {
      kind: 'integer',
      sql: sql`s.seq`,
      showOnly: true,
      describe: 'Number of its seal in the hash chain; absent until it is sealed.',
    }),
    previous_hash: optional('previous_hash', {
      kind: 'text',
      sql: sql`(select encode(p.hash, 'hex') from event_seals p where p.seq = s.seq - 1)`,
      showOnly: true,
      describe: 'The hash of the seal before its own; absent until it is sealed, and from the first event.',
    }),
  },
  dynamic: name => (name === 'progress' ? progress : ofProperties.test(name) ? undefined : attribute(name)),
  dynamicAttributes: (row, { actor }) => {
    const { converged_properties: properties, ...further } = row['further'] as Record<string, unknown>
    const shown = row['system'] === false || actor.rights.may('read', `${row['node_path']}/properties`)
    return {
      ...further,
      ...(properties !== undefined && shown && { converged_properties: properties }),
      ...(row['output'] !== null && { progress: row['output'] }),
    }
  },
  extra: {
    version: sql`(${templateVersion()})`,
    further: sql`e.attributes`,
    output: sql`(${output()})`,
    seq: sql`s.seq`,
    activity_id: sql`e.activity_id`,
    activity_type: activityType,
  },
  named: {
    for_change: { describe: 'Those of a change and of its steps, by its id.', sql: ofActivity },
    ...underNode(sql`e.path`),
    for_workflow_run: { describe: 'Those of a workflow run and of its steps, by its id.', sql: ofActivity },
  },
  relationships: {
    source: {
      kind: 'one',
      type: 'any',
      sql: sql`case when e.source_id is not null then jsonb_build_object('type', e.source_type, 'id', e.source_id) end`,
      // Its attributes have the same data permanently, also when the record has been deleted.
      paths: 'own',
      describe: 'The record that it is about.',
      related: row => pathOfSource(sourceOf(row)),
      linkName: 'source',
      when: row => row['source_id'] !== null,
    },
    activity: {
      kind: 'one',
      type: 'any',
      sql: activityOf,
      // It has the event's node, and is named permanently as the source is.
      paths: 'own',
      describe: 'The change or workflow run that it belongs to, such as that of a step.',
      related: row => pathOfActivity(row),
      when: row => row['activity_type'] !== null,
    },
  },
  links: row => ({ self: `/api/events/${row.id}` }),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  order: 'newest last',
  limit: { default: 10, maximum: 1_000 },
  large: true,
  rights: { condition: readable },
  listRightsPath: () => eventsPath,
}

/** Condition on events that the actor may read: an event needs read on its node; without a node, read on /events. */
function readable({ rights }: Actor): Sql<boolean> {
  const ofNodes = rights.visible({ projectId: sql`e.project_id`, path: sql`e.path` })
  return rights.may('read', eventsPath) ? sql<boolean>`(e.path is null or ${ofNodes})` : ofNodes
}

function optional(name: string, column: Column): Column {
  return { ...column, nullable: true, when: row => row[name] !== null }
}

/**
 * An attribute that many types of event have, and lists can sort by. Shown as recorded, since in custom events it may
 * not be a text.
 */
function ofSome(name: string, describe: string): Column {
  const further = (row: Row) => row['further'] as Record<string, unknown>
  return {
    ...attribute(name),
    describe,
    schema: Type.Unknown(),
    when: row => Object.hasOwn(further(row), name),
    read: (_, __, row) => further(row)[name],
  }
}

/** An attribute as text: at the top level under its whole name, which may contain dots, else along its dots. */
function attribute(name: string): Column {
  const parts = name.split('.')
  const path = parts.length > mostParts ? [name] : parts
  const along = sql`e.attributes #>> ${path}::text[]`
  const value = path.length > 1 ? sql`coalesce(e.attributes ->> ${name}, ${along})` : along
  return {
    kind: 'text',
    sql: sql`(${value})`,
    describe: 'An attribute of some types of event.',
    nullable: true,
    asNumbers: true,
    long: true,
    inMemory: record => attributeInMemory(record, name, path),
    equals: text => sql<boolean>`((${containing([name], text)} or ${containing(path, text)}) and (${value}) = ${text})`,
  }
}

/** Value of an attribute of an event in memory. Equality never holds for arrays, objects and elements of an array. */
function attributeInMemory(
  record: Readonly<Record<string, unknown>>,
  name: string,
  path: readonly string[],
): MemoryValue {
  const whole = path.length > 1 && Object.hasOwn(record, name) ? jsonText(record[name]) : null
  if (whole !== null) return { value: whole, equal: isScalar(record[name]) ? whole : null }
  let along: unknown = record
  let isInArray = false
  for (const part of path) {
    isInArray ||= Array.isArray(along)
    along = partOf(along, part)
  }
  const value = jsonText(along)
  return { value, equal: isScalar(along) && !isInArray ? value : null }
}

/** A member of an object or an element of an array, by the rules of `#>>`. */
function partOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return /^-?\d{1,9}$/.test(part) ? value.at(Number(part)) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, part) ? (value as Record<string, unknown>)[part] : undefined
}

const isScalar = (value: unknown): boolean => typeof value !== 'object'

/** Condition that the index on the whole document serves: that text, or the number or boolean written that way. */
function containing(path: readonly string[], text: unknown): Sql<boolean> {
  const nested = (value: string) => path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value)
  const asText = sql<boolean>`e.attributes @> ${nested(JSON.stringify(text))}::jsonb`
  if (!/^(true|false|-?(0|[1-9]\d{0,99})(\.\d{1,99})?)$/.test(String(text))) return asText
  return sql<boolean>`(${asText} or e.attributes @> ${nested(String(text))}::jsonb)`
}

/** Output of a fetch so far, which is stored separately from its event. */
function output(): Sql {
  return sql`select string_agg(p.text, '' order by p.part) from event_progress p where p.event_id = e.id`
}

const progress: Column = {
  kind: 'text',
  long: true,
  sql: sql`coalesce((${output()}), e.attributes ->> 'progress')`,
  describe: 'The output of a fetch so far.',
  nullable: true,
}

/** Names that a version lacks in a custom event related to it, and which the link to it needs. */
function templateVersion(): Sql {
  return sql`
    select jsonb_build_object('name', v.version, 'template_code', t.code)
      from template_versions v join templates t on t.id = v.template_id
     where e.source_type = 'template_version' and v.id = e.source_id`
}

function pathOfActivity(row: Row): string {
  return `/api/${row['activity_type'] === 'change' ? 'changes' : 'workflow_runs'}/${row['activity_id']}`
}

function ofActivity(id: string): Sql<boolean> {
  return byId(id, sql`e.activity_id`, 'a change or workflow run')
}

function sourceOf(row: Row): Source {
  const further = row['further'] as Record<string, unknown>
  const version = row['version'] as Record<string, string> | null
  const text = (name: string) => version?.[name] ?? (typeof further[name] === 'string' ? further[name] : null)
  return {
    type: String(row['source_type']),
    id: String(row['source_id']),
    path: row['node_path'] as string | null,
    name: text('name'),
    templateCode: text('template_code'),
  }
}
