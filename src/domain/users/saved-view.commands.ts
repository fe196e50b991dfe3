import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Request,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import { shownNameForm, shownNamePattern } from '#platform/display-name.ts'
import { type Failure, failure } from '#platform/failure.ts'
import { sharings } from './saved-view.resource.ts'
import {
  deleteView,
  hasViewNamed,
  insertView,
  lockView,
  type SavedView,
  type StoredView,
  updateView,
} from './saved-view.store.ts'
import { onlyPeople } from './user.ts'

interface Found extends Target {
  readonly view: StoredView
}

const name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: shownNamePattern,
  shouldBe: shownNameForm,
  description: 'Name of the view, unique among those of its owner for the list.',
})
const list = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,59}$',
  shouldBe: 'the name of a list, such as activities',
  description: 'List that the query is for, such as activities.',
})
const query = Type.String({
  maxLength: 8_192,
  description: 'Filters, sorting and columns, as a query string of the client that saved it.',
})
const shared_with = Type.Enum([...sharings], { description: 'Users who see it: private (the owner) or everyone.' })

const eventBody = ['name', 'list', 'shared_with']

const create = command<Omit<SavedView, 'shared_with'> & Partial<Pick<SavedView, 'shared_with'>>>({
  name: 'saved_views.create',
  summary: 'Saves the query of a list under a name.',
  method: 'POST',
  paths: ['/api/saved_views'],
  status: 201,
  event: 'api:saved_views:create',
  eventBody,
  attributes: Type.Object(
    { name, list, query, shared_with: Type.Optional(shared_with) },
    { additionalProperties: false },
  ),
  answers: 'saved_view',
  find: async () => ({}),
  needs: (_found, _request, actor) => onlyPeople(actor),
  run: async ({ tx, actor }, _found, { attributes }) => {
    const id = await insertView(tx, { shared_with: 'private', ...attributes }, actor)
    if (!id) throw taken(attributes.name)
    return done({ id, event: { source: { type: 'saved_view', id } } })
  },
})

const update = command<Partial<SavedView>, Found>({
  name: 'saved_views.update',
  summary: 'Updates a saved view; only its owner can, and superusers.',
  method: 'PATCH',
  paths: ['/api/saved_views/:id'],
  status: 200,
  event: 'api:saved_views:update',
  eventBody,
  attributes: Type.Object(
    {
      name: Type.Optional(name),
      list: Type.Optional(list),
      query: Type.Optional(query),
      shared_with: Type.Optional(shared_with),
    },
    { additionalProperties: false },
  ),
  answers: 'saved_view',
  find,
  needs: onlyOwner,
  collides: (context, { view }, { attributes }) => collision(context, { ...view, ...attributes }),
  run: async (context, { view }, { attributes }) => {
    const changes = (Object.keys(attributes) as (keyof SavedView)[]).some(each => attributes[each] !== view[each])
    if (!changes) return unchanged(view.id)
    const wanted = { ...view, ...attributes }
    const conflict = await collision(context, wanted)
    if (conflict) throw conflict
    await updateView(context.tx, view.id, wanted)
    return done({ id: view.id, event: { source: { type: 'saved_view', id: view.id } } })
  },
})

const destroy = command<never, Found>({
  name: 'saved_views.delete',
  summary: 'Deletes a saved view; only its owner can, and superusers.',
  method: 'DELETE',
  paths: ['/api/saved_views/:id'],
  status: 204,
  event: 'api:saved_views:destroy',
  eventBody: [],
  find,
  needs: onlyOwner,
  run: async ({ tx }, { view }) => {
    await deleteView(tx, view.id)
    const { id, name, list } = view
    return done({ event: { source: { type: 'saved_view', id }, attributes: { name, list } } })
  },
})

async function find({ tx, actor }: Context, { params }: Request<unknown>): Promise<Found | undefined> {
  const view = await lockView(tx, params['id'], actor)
  return view && { view, rowVersion: view.row_version }
}

/** @throws Failure forbidden for a view that another user shares, unless the caller is a superuser */
function onlyOwner({ view }: Found, _request: unknown, actor: Actor) {
  if (view.user_id !== actor.userId && !actor.rights.superuser)
    throw failure('forbidden', 'Only the owner of a saved view may do this.')
  return onlyPeople(actor)
}

const collision = async (
  { tx }: Context,
  { id, user_id: userId, list, name }: StoredView,
): Promise<Failure | undefined> => ((await hasViewNamed(tx, { userId, list, name, but: id })) ? taken(name) : undefined)

const taken = (name: string): Failure =>
  failure('code-taken', `There is a view named "${name}" of this list already.`, {
    source: { pointer: '/data/attributes/name' },
  })

export const savedViewCommands: readonly AnyCommand[] = [create, update, destroy]
