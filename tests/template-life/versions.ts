import { forgetTasks, openTasks, type State, tell, templateOf, type Verdict, type Version } from './state.ts'
import { ends } from './tasks.ts'

/** Requests on versions of templates: refused or done, with their events. */

export interface Wish {
  readonly rev?: string
  readonly locked?: boolean
  readonly float?: boolean
  readonly archived?: boolean
  readonly fetches: boolean
  readonly ignores: boolean
}

export function puts(state: State, label: string, wish: Wish): Verdict {
  const template = state.templates.get(templateOf(label))
  if (!template) return 404
  const version = state.versions.get(label)
  return version ? changes(state, version, wish) : begins(state, label, wish)
}

function begins(state: State, label: string, wish: Wish): Verdict {
  const { archived, disabled } = state.templates.get(templateOf(label))!
  if (archived || disabled || state.remote.archived) return 409
  if (wish.rev === undefined || (wish.locked && wish.float)) return 422
  const { rev, locked = false, float = false } = wish
  const version: Version = {
    ...{ label, template: templateOf(label), rev, locked, float },
    archived: wish.archived ?? false,
    state: 'initializing',
    commit: undefined,
    request: { stage: 'fetch', follows: false },
    error: undefined,
    floatError: undefined,
  }
  state.versions.set(label, version)
  tell(state, `info:template_version:fetch_initialize ${label}`, `api:template_versions:update ${label}`)
  return 201
}

function changes(state: State, version: Version, wish: Wish): Verdict {
  const { rev = version.rev, locked = version.locked, float = version.float, archived = version.archived } = wish
  const moves = rev !== version.rev || wish.fetches
  if (moves && state.remote.archived) return 409
  if (moves && version.locked && locked) return 409
  // A following version is fetched for any caller: it would move there by itself.
  const follows = rev === version.rev && version.float && float
  if (moves && !follows && version.state === 'ready' && isInUse(state, version.label) && !wish.ignores) return 409
  const isOnItsWay = version.state === 'ready' && version.request !== undefined
  const freezes = (locked && !version.locked) || (!float && version.float)
  if (!moves && isOnItsWay && freezes) return 409
  if (locked && float) return 422
  Object.assign(version, { rev, locked, float, archived, floatError: float ? version.floatError : undefined })
  if (moves) {
    tell(state, `info:template_version:fetch_initialize ${version.label}`)
    version.request = { stage: 'fetch', follows: false }
    if (version.state === 'broken') Object.assign(version, { state: 'initializing', error: undefined })
  }
  tell(state, `api:template_versions:update ${version.label}`)
  return 200
}

const isInUse = (state: State, label: string): boolean =>
  [...state.assets.values()].some(({ version }) => version === label)

/** Only a version that no node ever had is deleted. */
export function drops(state: State, label: string): Verdict {
  if (!state.versions.has(label)) return 404
  if (wasUsed(state, label)) return 409
  state.versions.delete(label)
  forgetTasks(state, label)
  tell(state, `api:template_versions:destroy ${label}`)
  return 204
}

export const wasUsed = (state: State, label: string): boolean =>
  [...state.assets.values()].some(({ had }) => had.has(label))

export function cancels(state: State, label: string): Verdict {
  const version = state.versions.get(label)
  if (!version) return 404
  if (!version.request) return 409
  version.request = undefined
  for (const task of openTasks(state, label)) {
    task.cancelled = true
    if (task.status === 'initializing') ends(state, task, 'cancelled')
  }
  tell(state, `info:template_version:refresh_cancelled ${label}`)
  if (version.state === 'initializing') {
    Object.assign(version, { state: 'broken', error: 'cancelled' })
    tell(state, `error:template_version:broken ${label}`)
  }
  return 200
}
