import { contentIn, openTasks, type State, type Task, tell, templateOf, type Verdict } from './state.ts'

/** Background tasks: derivations of the actions of an asset, or of a version with a program. */

/** Slots of the pool, which are never changed. */
const slots = 5

export function asksForActions(state: State, code: string): Verdict {
  const asset = state.assets.get(code)
  if (!asset) return 404
  if (asset.archived || openTasks(state, code).length > 0) return 409
  isToAsk(state, code, true)
  return 201
}

/** An asset has a new commit: if its actions are its own they are derived, by at most one queued task. */
export function hasMoved(state: State, code: string): void {
  const { archived, version } = state.assets.get(code)!
  const waits = openTasks(state, code).some(({ status }) => status === 'initializing')
  const isItsOwn = contentIn(templateOf(version), state.versions.get(version)!.commit!) === 'asking'
  if (isItsOwn && !archived && !waits) isToAsk(state, code, false)
}

function isToAsk(state: State, code: string, isAsked: boolean): void {
  const task = { about: code, commit: undefined, request: undefined, isAsked, cancelled: false }
  state.tasks.push({ ...task, status: 'initializing' })
  tell(state, `api:generate_actions_request:create ${code}`)
}

export function cancelsTask(state: State, task: Task): Verdict {
  if (!['initializing', 'running'].includes(task.status)) return 409
  if (!task.cancelled) tell(state, `api:generate_actions_request:cancel ${task.about}`)
  task.cancelled = true
  if (task.status === 'initializing') ends(state, task, 'cancelled')
  return 204
}

/** Starts tasks in the order of their requests, as far as there are slots. */
export function admits(state: State): void {
  if (state.maintenance) return
  for (const task of state.tasks.filter(({ status }) => status === 'initializing')) {
    const known = task.request ? state.derived.get(task.commit!) : begins(state, task)
    if (known === 'actions') ends(state, task, 'success')
    else if (known === 'a fault') ends(state, task, 'error')
    else if (state.tasks.filter(({ status }) => status === 'running').length < slots) task.status = 'running'
  }
}

/** Known actions of an asset. */
function begins(state: State, task: Task): 'actions' | 'a fault' | undefined {
  const asset = state.assets.get(task.about)!
  const { commit, state: now } = state.versions.get(asset.version)!
  task.commit = commit
  if (now !== 'ready' || !commit) return 'a fault'
  const content = contentIn(templateOf(asset.version), commit)
  if (content !== 'asking') return content === 'program' && task.isAsked ? undefined : 'actions'
  if (task.isAsked || !state.derivedForAssets.has(commit)) return undefined
  asset.own = commit
  return 'actions'
}

/** A failure of a version's program is stored; for an asset's only a success is. */
export function runnerEnds(state: State, task: Task, outcome: 'success' | 'error' | 'cancelled'): void {
  const commit = task.commit!
  const asset = task.request ? undefined : state.assets.get(task.about)
  if (asset && outcome === 'success' && commit.content === 'asking') {
    asset.own = commit
    state.derivedForAssets.add(commit)
  }
  if (!asset && outcome !== 'cancelled' && state.derived.get(commit) !== 'actions')
    state.derived.set(commit, outcome === 'success' ? 'actions' : 'a fault')
  ends(state, task, outcome)
}

export function ends(state: State, task: Task, outcome: 'success' | 'error' | 'cancelled'): void {
  const { about, request, cancelled } = task
  task.status = outcome
  if (request) {
    state.ended.push({ label: about, request, isCancelled: outcome === 'cancelled' })
    return
  }
  const { version } = state.assets.get(about)!
  const how = outcome === 'cancelled' ? 'info' : 'error'
  if (cancelled) tell(state, `${how}:template_version:refresh_cancelled ${version}`)
  if (outcome !== 'error') return
  tell(state, `error:generate_actions_request:generate ${about}`)
  if (!task.isAsked) tell(state, `api:action_refresh:warn ${about}`)
}
