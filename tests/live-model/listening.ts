import assert from 'node:assert/strict'
import type { Deeds, History } from './history.ts'
import { type Followed, Listener } from './listener.ts'
import { Walk } from './walk.ts'

/** Deeds of listeners and of readers of lists. */
export const listening: Deeds = {
  listen: [3, listen],
  dial: [9, dial],
  hangUp: [3, history => withOne(history, history.listeners, each => each.hangsUp())],
  goBack: [2, history => withOne(history, history.listeners, each => each.goesBack(history.dice(50)))],
  wrongId: [2, wrongId],
  stall: [2, history => withOne(history, history.listeners, each => each.stalls())],
  readOn: [3, history => withOne(history, history.listeners, each => each.goesOn())],
  hear: [8, hear],
  signOut: [1, signOut],
  signIn: [2, signIn],
  walk: [2, walk],
  walkOn: [5, walkOn],
}

const mostListeners = 10

async function withOne(
  history: History,
  among: readonly Listener[],
  does: (listener: Listener) => unknown,
): Promise<string | undefined> {
  const listener = history.pick(among)
  if (listener) await does(listener)
  return listener?.name
}

/** A new listener follows a stream. */
async function listen(history: History): Promise<string | undefined> {
  if (history.listeners.length >= mostListeners) return undefined
  const { begun, world } = history
  const followed = history.pick<Followed>([...begun, { list: 'events' }, { list: 'activities' }])!
  const { place } = followed
  const may = world.people.filter(({ paths }) =>
    paths.some(path => place === undefined || `${place}/`.startsWith(`${path}/`)),
  )
  const person = history.pick([undefined, ...may])
  const name = `listener ${history.listeners.length + 1} (${person?.name ?? 'admin'}, ${followed.list} ${followed.id ?? ''})`
  const listener = new Listener({ name, followed, person })
  history.listeners.push(listener)
  if (person && history.dice(3) === 0) await signsIn(history, listener)
  await history.dials(listener)
  return name
}

/** Signs in with a token of their own, if they may have one. */
export async function signsIn({ world }: History, listener: Listener): Promise<void> {
  const { name, now } = listener.person!
  if (now.disabled || now.blocked) return listener.signsIn(undefined)
  const asked = { description: 'screen', expires_at: '2099-01-01T00:00:00Z' }
  const { status, body, text } = await world.run.service.as(name).post('/api/tokens', asked)
  assert.equal(status, 201, text)
  listener.signsIn({ id: body.data.id, secret: body.meta.token })
}

function dial(history: History): Promise<string | undefined> {
  const closed = history.listeners.filter(({ isOpen }) => !isOpen)
  return withOne(history, closed, each => history.dials(each))
}

/** An invalid id, a damaged one, and one of another stream. */
async function wrongId(history: History): Promise<string | undefined> {
  const listener = history.pick(history.listeners)!
  const others = history.listeners.filter(({ path, lastId }) => path !== listener.path && lastId !== undefined)
  const { lastId = 'nothing' } = listener
  const spoilt = `${lastId.slice(0, -3)}${lastId.at(-3) === 'A' ? 'B' : 'A'}${lastId.slice(-2)}`
  const id = history.pick(['1', 'x'.repeat(200), spoilt, ...others.map(other => other.lastId!)])!
  await listener.isRefused(history.pick(history.world.places())!.address, id)
  return `${listener.name} with ${id}`
}

/** Time for listeners. */
async function hear(history: History): Promise<string | undefined> {
  const open = history.listeners.filter(({ isOpen }) => isOpen)
  return withOne(history, open, each => {
    const before = each.came.length
    return each.hears(() => each.came.length !== before, 20 + history.dice(200))
  })
}

async function signOut(history: History): Promise<string | undefined> {
  const signedIn = history.listeners.filter(({ token, signedOutAt }) => token && signedOutAt === undefined)
  return withOne(history, signedIn, async each => {
    // By themselves, or, if they may not, by a user who may.
    const { status, text } = await history.world.admin.delete(`/api/tokens/${each.token!.id}`)
    assert.equal(status, 204, text)
    each.signsOut()
  })
}

function signIn(history: History): Promise<string | undefined> {
  const signedOut = history.listeners.filter(({ signedOutAt }) => signedOutAt !== undefined)
  return withOne(history, signedOut, each => signsIn(history, each))
}

async function walk(history: History): Promise<string> {
  const { list, id } = history.pick(history.begun)!
  const named = list === 'changes' ? 'for_change' : 'for_workflow_run'
  const path = history.pick([`/api/${list}/${id}/log_lines?`, `/api/events?filter[${named}]=${id}&`])!
  const limit = 1 + history.dice(history.pick([10, 100, 1_000])!)
  history.walks.push(await Walk.begun(history.world.admin, path, limit))
  return `${path} by ${limit}`
}

async function walkOn(history: History): Promise<string | undefined> {
  const one = history.pick(history.walks.filter(({ isOver }) => !isOver))
  await one?.goesOn()
  return one && ''
}
