import { fetched, resolved } from './repository.ts'
import { type Commit, contentIn, type State, tell, type Version } from './state.ts'
import { hasMoved } from './tasks.ts'

/** Background work of the service: it fetches, resolves commits, reads actions, and moves versions. */

/** Runs everything that is due. */
export function works(state: State): void {
  if (state.remote.fetches === 'changed') fetchesRemote(state, 'error:git_remote:update')
  for (const { label, request, isCancelled } of state.ended) goesOn(state, label, request, isCancelled)
  state.ended = []
  fetchesVersions(state)
  if (state.remote.fetches === 'is back') fetchesRemote(state, 'warn:git_remote:periodic_fetch:failed')
  fetchesVersions(state)
}

/** Moves the clock so that every remote is due again. */
export function timePasses(state: State): void {
  if (!state.remote.archived) fetchesRemote(state, 'warn:git_remote:periodic_fetch:failed')
  works(state)
}

/** A program has run for a version, which may have been re-pointed by now. */
function goesOn(state: State, label: string, request: Version['request'], isCancelled: boolean): void {
  const version = state.versions.get(label)
  if (!version) return
  if (version.request === request && request?.stage === 'derive') arrives(state, version, request.commit)
  else if (!isCancelled) tell(state, `info:template_version:refresh_superseded ${label}`)
}

/** Fetches the remote; then floating versions follow. */
function fetchesRemote(state: State, failure: string): void {
  const { remote } = state
  remote.fetches = 'later'
  if (state.away) {
    tell(state, `${failure} remote`)
    remote.failing = true
    return
  }
  if (remote.failing) tell(state, 'info:git_remote:periodic_fetch:recovered remote')
  remote.failing = false
  fetched(state)
  for (const version of state.versions.values()) follows(state, version)
}

/** Repeated failures are not recorded again. */
function follows(state: State, version: Version): void {
  const { commit, rev, float, archived, request, template, floatError, error } = version
  if (!float || request || archived || state.templates.get(template)!.archived) return
  const target = resolved(state, rev)
  const isReady = version.state === 'ready'
  if (isReady && target === commit && !floatError) return
  const why = target ? faultOf(state, template, target) : nowhere
  if (why && why === (isReady ? floatError : error)) return
  if (target) version.request = { stage: 'fetch', follows: true }
  else if (isReady) fails(state, version, nowhere)
}

const nowhere = 'it is not there'

function fetchesVersions(state: State): void {
  for (const version of state.versions.values()) if (version.request?.stage === 'fetch') fetches(state, version)
}

function fetches(state: State, version: Version): void {
  const { label, request, rev } = version
  tell(state, `info:template_version:fetch ${label}`, `info:template_version:fetch_complete ${label}`)
  if (!request!.follows) {
    if (state.away) {
      tell(state, `error:template_version:fetch ${label}`, 'error:git_remote:fetch remote')
      fails(state, version, 'the remote is away')
      return
    }
    fetched(state)
    if (state.remote.failing) state.remote.fetches = 'is back'
  }
  const commit = resolved(state, rev)
  if (commit) {
    arrives(state, version, commit)
    return
  }
  tell(state, `error:template_version:commit_verification ${label}`)
  fails(state, version, nowhere)
}

function arrives(state: State, version: Version, commit: Commit): void {
  const { label, template } = version
  const fault = faultOf(state, template, commit)
  if (fault) {
    tell(state, `error:template_version:refresh_actions ${label}`)
    fails(state, version, fault)
    return
  }
  if (isProgram(template, commit) && !state.derived.has(commit)) {
    const request = { stage: 'derive', commit, follows: version.request!.follows } as const
    version.request = request
    state.tasks.push({ about: label, commit, request, isAsked: false, status: 'initializing', cancelled: false })
    return
  }
  Object.assign(version, { state: 'ready', commit, request: undefined, error: undefined, floatError: undefined })
  for (const { code, version: theirs } of state.assets.values()) if (theirs === label) hasMoved(state, code)
}

/** Fault of a template at a commit, as far as known; that of a program is unknown until it has run. */
function faultOf(state: State, template: string, commit: Commit): string | undefined {
  if (isProgram(template, commit)) return state.derived.get(commit) === 'a fault' ? 'it throws' : undefined
  const content = contentIn(template, commit)
  return content === 'plain' ? undefined : content
}

const isProgram = (template: string, commit: Commit) => ['program', 'asking'].includes(contentIn(template, commit))

function fails(state: State, version: Version, why: string): void {
  const { label, float } = version
  version.request = undefined
  if (float && version.state === 'ready') {
    version.floatError = why
    tell(state, `warn:template_version:float_refresh_failed ${label}`)
    return
  }
  Object.assign(version, { state: 'broken', error: why, floatError: undefined })
  tell(state, `error:template_version:broken ${label}`)
}
