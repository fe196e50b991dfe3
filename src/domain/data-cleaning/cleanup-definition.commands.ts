import { isDeepStrictEqual } from 'node:util'
import Type from 'typebox'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Request,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import { Failure, type Fault, missing } from '#platform/failure.ts'
import { nameSchema } from '../nodes/index.ts'
import {
  cleanedKinds,
  definitionFaults,
  definitionsPath,
  hasOtherSchedule,
  hasOtherSelection,
  nextDueOf,
  usual,
  type Written,
} from './cleanup-definition.ts'
import {
  type Definition,
  deleteDefinition,
  findDefinition,
  insertDefinition,
  lockDefinition,
  timeNow,
  writeDefinition,
} from './definition.store.ts'
import { filterFaults } from './definition-filters.sql.ts'
import type { Removables } from './removable.store.ts'

const noImages = 'agent_images'

const attributes = {
  name: nameSchema('Display name.'),
  kind: Type.Enum([...cleanedKinds, noImages], {
    description:
      'Type of records to delete: activities (changes and workflow runs), events, jobs. agent_images are not supported yet.',
  }),
  cron_schedule: nameSchema('Cron expression: five fields, six with seconds first, or @daily and the like.'),
  time_zone: nameSchema('IANA time zone of that time; default UTC.'),
  node_paths: Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      pattern: '^(?:%|/[^%]*%?)$',
      shouldBe: 'the path of a node, or with % at its end the beginning of paths: /projects/bank%',
    }),
    {
      minItems: 1,
      maxItems: 100,
      description: 'Paths of nodes; default %, which matches all, and records without a node.',
    },
  ),
  filters: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Only records that match these list filters: {"status_code_eq": "success"}.',
    },
  ),
  older_than: Type.String({
    maxLength: 100,
    description: 'Only what ended (events: was recorded) longer ago than this ISO 8601 duration: P90D.',
  }),
  maximum_per_run: Type.Union([
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Maximum number, oldest first.' }),
    Type.Null(),
  ]),
  enabled: Type.Boolean({ description: 'Whether it is enabled; default true.' }),
} as const
const optional = Object.fromEntries(
  Object.entries(attributes).map(([key, each]) => [key, Type.Optional(each as Type.TSchema)]),
)
const required = ['name', 'kind', 'cron_schedule', 'older_than'] as const
const eventBody = Object.keys(attributes)

type Given = Partial<Omit<Written, 'kind'>> & { readonly kind?: Written['kind'] | typeof noImages }
type OnDefinition = Target & { readonly definition: Definition }

const about = (id: string, { name }: Pick<Written, 'name'>) => ({
  source: { type: 'data_cleanup_definition', id },
  attributes: { name },
})

/** Command that creates a definition. It removes records of all nodes, independent of its creator's other rights. */
const create = (kinds: Removables): AnyCommand =>
  command<Given>({
    name: 'data_cleanup_definitions.create',
    summary: 'Delete old records on a schedule',
    method: 'POST',
    paths: ['/api/data_cleanup_definitions'],
    status: 201,
    event: 'api:data_cleanup_definitions:create',
    eventBody,
    attributes: Type.Object(
      { ...optional, ...Object.fromEntries(required.map(key => [key, attributes[key] as Type.TSchema])) },
      { additionalProperties: false },
    ),
    answers: 'data_cleanup_definition',
    find: async () => ({}),
    needs: () => [{ right: 'update', path: definitionsPath }],
    run: async ({ tx, actor }, _, { attributes: given }) => {
      const written = checked(kinds, { ...usual, ...given })
      const next = nextDueOf(written, await timeNow(tx))
      const by = { createdBy: actor.username, userId: actor.userId }
      const id = await insertDefinition(tx, by, written, next)
      return done({ id, event: about(id, written) })
    },
  })

const onDefinition = {
  find: async ({ tx }: Context, { params }: Request<unknown>): Promise<OnDefinition | undefined> => {
    const definition = await findDefinition(tx, params['id']!)
    return definition && { definition, readPath: definitionsPath, rowVersion: definition.row_version }
  },
}

/** Updates a definition. A running run that would now remove other records ends with its current batch. */
const update = (kinds: Removables): AnyCommand =>
  command<Given, OnDefinition>({
    ...onDefinition,
    name: 'data_cleanup_definitions.update',
    summary: 'Change what is deleted, or when; a run in progress that would delete other records is stopped',
    method: 'PATCH',
    paths: ['/api/data_cleanup_definitions/:id'],
    status: 200,
    event: 'api:data_cleanup_definitions:update',
    eventBody,
    attributes: Type.Object(optional, { additionalProperties: false }),
    answers: 'data_cleanup_definition',
    needs: () => [{ right: 'update', path: definitionsPath }],
    run: async ({ tx, requireMatch }, { definition: { id } }, { attributes: given }) => {
      const stored = await lockDefinition(tx, id)
      if (!stored) throw missing()
      requireMatch(stored.row_version)
      const before = writtenOf(stored)
      const wanted = { ...before, ...given }
      const written = isSwitchedOff(before, wanted) ? wanted : checked(kinds, wanted)
      if (isDeepStrictEqual(before, written)) return unchanged(id)
      const next = hasOtherSchedule(before, written) ? nextDueOf(written, await timeNow(tx)) : stored.next_run_at
      await writeDefinition(tx, id, written, next, stored.revision + (hasOtherSelection(before, written) ? 1 : 0))
      return done({ id, event: about(id, written) })
    },
  })

const destroy: AnyCommand = command<never, OnDefinition>({
  ...onDefinition,
  name: 'data_cleanup_definitions.delete',
  summary: 'Delete a retention rule; a run in progress is stopped',
  method: 'DELETE',
  paths: ['/api/data_cleanup_definitions/:id'],
  status: 204,
  event: 'api:data_cleanup_definitions:destroy',
  eventBody: [],
  needs: () => [{ right: 'delete', path: definitionsPath }],
  run: async ({ tx, requireMatch }, { definition: { id } }) => {
    const stored = await lockDefinition(tx, id)
    if (!stored) throw missing()
    requireMatch(stored.row_version)
    await deleteDefinition(tx, id)
    return done({ event: about(id, stored) })
  },
})

export const definitionCommands = (kinds: Removables): AnyCommand[] => [create(kinds), update(kinds), destroy]

/**
 * Whether the request only disables the definition. Attributes that are no longer valid are a reason to disable it, not
 * to refuse that.
 */
const isSwitchedOff = (before: Written, wanted: Given): wanted is Written =>
  wanted.enabled === false && isDeepStrictEqual({ ...before, enabled: false, name: wanted.name }, wanted)

/** @throws Failure with all of its faults */
function checked(kinds: Removables, wanted: Given): Written {
  if (wanted.kind === noImages)
    throw new Failure([
      fault('kind', 'The service keeps no images of agents yet: there is nothing that could be removed.'),
    ])
  const written = wanted as Written
  const [first, ...others] = [
    ...definitionFaults(written).map(({ attribute, detail }) => fault(attribute, detail)),
    ...filterFaults(kinds[written.kind].resource, written.filters),
  ]
  if (first) throw new Failure([first, ...others])
  return written
}

const fault = (attribute: string, detail: string): Fault => ({
  code: 'invalid',
  detail,
  source: { pointer: `/data/attributes/${attribute}` },
})

const writtenOf = (definition: Definition): Written =>
  Object.fromEntries(Object.keys(attributes).map(key => [key, definition[key as keyof Written]])) as unknown as Written
