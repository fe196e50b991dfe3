import type { Content } from './history.ts'

/** Expected state according to the specification. No part of the product is used for it. */
export interface State {
  readonly commits: Commit[]
  /** Branches and tags, by their full names. */
  readonly refs: Map<string, Commit>
  away: boolean
  /** `changed`: fetched at once; `is back`: another fetch succeeded although it had been failing, so that it is due. */
  readonly remote: { archived: boolean; failing: boolean; fetches: 'later' | 'changed' | 'is back' }
  /** Commits in the service's mirror. */
  readonly fetched: Set<Commit>
  /** Refs at the last fetch. */
  mirror: Map<string, Commit>
  readonly templates: Map<string, Template>
  readonly versions: Map<string, Version>
  readonly assets: Map<string, Asset>
  tasks: Task[]
  maintenance: boolean
  /** Known declarations of programs. */
  readonly derived: Map<Commit, 'actions' | 'a fault'>
  /** Programs that read properties: their declarations for these, which are the same for every asset here. */
  readonly derivedForAssets: Set<Commit>
  /** Ended tasks of versions whose jobs have not run yet: each then continues. */
  ended: { readonly label: string; readonly request: Version['request']; readonly isCancelled: boolean }[]
  /** Recorded events since the last check: type and subject. */
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
  /** Whether it was requested to move to its revision, and its program to run. */
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
  /** The commit of its own actions, if a program derives them from its properties. */
  own: Commit | undefined
  /** All versions that it ever had. */
  readonly had: Set<string>
}

export interface Task {
  /** An asset's code, or a version's label. */
  readonly about: string
  /** Commit of the derived actions; for an asset it is known when the task begins. */
  commit: Commit | undefined
  /** Version that requested it. */
  readonly request: Version['request']
  /** Whether a person requested it, and the program has to run again. */
  readonly isAsked: boolean
  status: 'initializing' | 'running' | 'success' | 'error' | 'cancelled'
  cancelled: boolean
}

/** Response to a request. */
export type Verdict = 200 | 201 | 204 | 404 | 409 | 422

export const openTasks = (state: State, about: string) =>
  state.tasks.filter(task => task.about === about && ['initializing', 'running'].includes(task.status))

/** The folder of `job` is always the same. */
export const contentIn = (template: string, { content }: Commit): Content => (template === 'job' ? 'plain' : content)

export const templateOf = (label: string): string => label.split(' ')[0]!

/** Deletes the tasks of deleted subjects. */
export function forgetTasks(state: State, about: string): void {
  state.tasks = state.tasks.filter(task => task.about !== about)
}

export const tell = (state: State, ...events: string[]): void => void state.told.push(...events)
