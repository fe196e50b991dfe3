import type { Content } from './history.ts'

/** What there is, as the specification makes it of what was done. No part of the product is asked for any of it. */
export interface State {
  readonly commits: Commit[]
  /** Branches and tags, by their whole names. */
  readonly refs: Map<string, Commit>
  away: boolean
  /** `changed`: fetched at once; `is back`: somebody's fetch went well although it had been failing, so that it is due. */
  readonly remote: { archived: boolean; failing: boolean; fetches: 'later' | 'changed' | 'is back' }
  /** What the service has a copy of. */
  readonly fetched: Set<Commit>
  /** Refs as they were when it was last fetched. */
  mirror: Map<string, Commit>
  readonly templates: Map<string, Template>
  readonly versions: Map<string, Version>
  readonly assets: Map<string, Asset>
  tasks: Task[]
  maintenance: boolean
  /** What programs declare, as far as somebody has asked them. */
  readonly derived: Map<Commit, 'actions' | 'a fault'>
  /** Of those that ask for properties: what they declare for these, which are the same for every asset here. */
  readonly derivedForAssets: Set<Commit>
  /** Tasks of versions that have ended since jobs were worked: these go on, each from where it was. */
  ended: { readonly label: string; readonly request: Version['request']; readonly isCancelled: boolean }[]
  /** What is told of, since that was last looked at: the type and what it is about. */
  told: string[]
}

export interface Commit {
  readonly number: number
  readonly sha: string
  readonly content: Content
  readonly parent: Commit | undefined
}

interface Template {
  archived: boolean
  disabled: boolean
}

export interface Version {
  readonly label: string
  readonly template: string
  rev: string
  state: 'initializing' | 'ready' | 'broken'
  commit: Commit | undefined
  locked: boolean
  float: boolean
  archived: boolean
  /** Somebody wants it to be where its revision is; then it is known where that is, and its program is asked. */
  request:
    | undefined
    | { readonly stage: 'fetch'; readonly follows: boolean }
    | { readonly stage: 'derive'; readonly commit: Commit; readonly follows: boolean }
  /** Why it is broken. */
  error: string | undefined
  /** Why it could not follow. */
  floatError: string | undefined
}

interface Asset {
  readonly code: string
  version: string
  archived: boolean
  /** The commit that its own actions are of, where a program makes them of its properties. */
  own: Commit | undefined
  /** All versions that it ever had. */
  readonly had: Set<string>
}

export interface Task {
  /** An asset's code, or a version's label. */
  readonly about: string
  /** Whose actions it asks for; of an asset this is known when it begins. */
  commit: Commit | undefined
  /** Of the version that asked. */
  readonly request: Version['request']
  /** Somebody asked for it, and wants the program asked again. */
  readonly isAsked: boolean
  status: 'initializing' | 'running' | 'success' | 'error' | 'cancelled'
  cancelled: boolean
}

/** What a request is answered. */
export type Verdict = 200 | 201 | 204 | 404 | 409 | 422

export const openTasks = (state: State, about: string) =>
  state.tasks.filter(task => task.about === about && ['initializing', 'running'].includes(task.status))

/** The folder of `job` is the same everywhere. */
export const contentIn = (template: string, { content }: Commit): Content => (template === 'job' ? 'plain' : content)

export const templateOf = (label: string): string => label.split(' ')[0]!

/** They go with what they are about. */
export function forgetTasks(state: State, about: string): void {
  state.tasks = state.tasks.filter(task => task.about !== about)
}

export const tell = (state: State, ...events: string[]): void => void state.told.push(...events)
