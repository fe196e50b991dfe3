import { actionOf } from './repository.ts'
import { type Commit, contentIn, openTasks, type State, templateOf } from './state.ts'
import type { Project } from './world.ts'

/** Visible state of the service and of the prediction, in one form. */
export interface Seen {
  readonly remote: object
  readonly versions: Readonly<Record<string, object>>
  readonly assets: Readonly<Record<string, object>>
  readonly tasks: readonly string[]
  readonly events: readonly string[]
}

export function predicted(state: State): Seen {
  const versions = [...state.versions.values()].map(version => {
    const { label, request, commit, template: _, error, floatError, ...others } = version
    const pending = request?.stage === 'derive' ? request.commit.number : null
    return [
      label,
      {
        ...others,
        error: error !== undefined,
        floatError: floatError !== undefined,
        commit: commit?.number ?? null,
        pending,
      },
    ]
  })
  const assets = [...state.assets.values()].map(({ code, version, archived, own }) => {
    const { commit } = state.versions.get(version)!
    const isItsOwn = own && contentIn(templateOf(version), commit!) === 'asking'
    const actions = [actionOf(isItsOwn ? own : commit!)]
    return [code, { version, archived, actions, isBusy: openTasks(state, code).length > 0 }]
  })
  return {
    remote: { archived: state.remote.archived, error: state.remote.failing },
    versions: Object.fromEntries(versions),
    assets: Object.fromEntries(assets),
    tasks: state.tasks.map(({ about, status }) => `${about} ${status}`),
    events: state.told.toSorted(),
  }
}

export async function found({ project, state }: { project: Project; state: State }): Promise<Seen> {
  const numberOf = (sha: string | null | undefined) => numbered(state.commits, sha)
  const versions: [string, object][] = []
  for (const template of ['web', 'job'])
    for (const { attributes: one, relationships } of await project.versions(template))
      versions.push([
        `${template} ${one.version}`,
        {
          ...{
            rev: one.git_rev,
            locked: one.locked,
            float: one.float_git_rev,
            archived: one.archived,
            state: one.state,
          },
          ...{ error: one.initialization_error !== null, floatError: one.float_refresh_error !== null },
          ...{ commit: numberOf(one.commit_sha), pending: numberOf(relationships.pending_commit.data?.id) },
        },
      ])
  const assets = (await project.assets()).map(({ attributes: one }) => [
    one.code,
    {
      version: `${one.template_code} ${one.template_version}`,
      archived: one.archived,
      actions: one.actions.map(({ action }: { action: string }) => action),
      isBusy: one.task_active,
    },
  ])
  const remote = await project.remote()
  return {
    remote: { archived: remote.archived, error: remote.fetch_error !== null },
    versions: Object.fromEntries(versions),
    assets: Object.fromEntries(assets),
    tasks: (await project.tasks()).map(({ about, status }) => `${about} ${status}`),
    events: (await project.events()).toSorted(),
  }
}

const numbered = (commits: readonly Commit[], sha: string | null | undefined) =>
  sha ? (commits.find(commit => commit.sha === sha)?.number ?? sha) : null
