import Type, { type TSchema } from 'typebox'
import { type AnyCommand, command, done, type Target } from '#platform/commands/command.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import { eventsPath } from './event.resource.ts'
import { findLinks, type Linked, links } from './event-links.store.ts'
import { recordCustom } from './record.store.ts'

type Attributes = Readonly<Record<string, unknown>> & { readonly type: string }

interface Found extends Target {
  readonly linked: Linked
}

const linkSchemas: Record<string, TSchema> = Object.fromEntries(
  Object.keys(links).map(name => [name, Type.Optional(linkSchema(name))]),
)

function linkSchema(name: string): TSchema {
  return name.endsWith('_path')
    ? Type.String({
        pattern: '^/projects/',
        shouldBe: 'the path of a node, which begins with /projects/',
        maxLength: 1_000,
        description: 'The node that it relates to.',
      })
    : Type.String({ format: 'uuid', description: 'The record that it relates to.' })
}

/** Attributes of an event that only the service sets. */
const reserved = /^(id|username|system|created_at|hash|previous_hash|seal_number|source_.*|request_.*|url_params_.*)$/

const create = command<Attributes, Found>({
  name: 'events.create',
  summary: 'Records a custom event with any attributes, related to a record by the link attributes.',
  method: 'POST',
  paths: ['/api/events'],
  status: 201,
  // It is itself an event; no further event records its request.
  event: null,
  eventBody: [],
  attributes: Type.Object(
    { type: Type.String({ minLength: 1, maxLength: 255, description: 'Any JSON value.' }), ...linkSchemas },
    { additionalProperties: true },
  ),
  find: async ({ tx }, { attributes }) => ({ linked: await findLinks(tx, attributes) }),
  needs: ({ linked }, _request, { rights }) => {
    const readable = linked.places.length > 0 && linked.places.every(({ path }) => rights.may('read', path))
    return readable && linked.lost.length === 0 ? [] : [{ right: 'update', path: eventsPath }]
  },
  run: async ({ tx, actor }, { linked }, { attributes }) => {
    const faults = [...reservedIn(attributes), ...lostIn(linked)]
    if (faults.length > 0) throw new Failure(faults as [Fault, ...Fault[]])
    const { type, ...further } = attributes
    const [place] = linked.places
    const activityId = linked.places.find(({ activity_id }) => activity_id)?.activity_id
    await recordCustom(tx, {
      type,
      actor,
      attributes: further,
      ...(linked.source && { source: linked.source }),
      ...(place && {
        node: { path: place.path, projectId: place.project_id, ...(place.node_id && { id: place.node_id }) },
      }),
      ...(activityId && { activityId }),
    })
    return done({ event: {} })
  },
})

const at = (name: string) => ({ pointer: `/data/attributes/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` })

function reservedIn(attributes: Attributes): Fault[] {
  const names = Object.keys(attributes).filter(name => reserved.test(name))
  return names.map(name => ({
    code: 'invalid',
    detail: `"${name}" is set by the service alone; choose another name.`,
    source: at(name),
  }))
}

const lostIn = ({ lost }: Linked): Fault[] =>
  lost.map(name => ({ code: 'invalid', detail: `${name} leads to no record.`, source: at(name) }))

export const eventCommands: AnyCommand[] = [create]
