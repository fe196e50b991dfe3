import type { TestRepository } from '../support/git-repository.ts'
import type { Content } from './history.ts'
import type { Commit, State } from './state.ts'

/** The repository, and what the service knows about it. */

export const branches = ['main', 'next'] as const
const refNames = ['refs/heads/main', 'refs/heads/next', 'refs/tags/v1', 'refs/tags/v2'] as const
export const refAt = (which: number): string => refNames[which % refNames.length]!
/** Names for the revision of a version; the last one does not exist. */
export const revisions = ['main', 'main', 'main', 'next', 'v1', 'v2', 'nowhere'] as const

export function commits(
  state: State,
  repository: TestRepository,
  { branch, content, rewrites }: { branch: string; content: Content; rewrites: boolean },
): Commit {
  const number = state.commits.length + 1
  const ref = `refs/heads/${branch}`
  const parent = rewrites ? undefined : state.refs.get(ref)
  const sha = repository.commit(filesOf(content, number), { branch, rewrite: rewrites })
  const commit = { number, sha, content, parent }
  state.commits.push(commit)
  state.refs.set(ref, commit)
  return commit
}

export function setRef(state: State, repository: TestRepository, ref: string, commit: Commit): void {
  repository.git('update-ref', ref, commit.sha)
  state.refs.set(ref, commit)
}

export function dropRef(state: State, repository: TestRepository, ref: string): void {
  repository.git('update-ref', '-d', ref)
  state.refs.delete(ref)
}

/** State of the service's mirror after a fetch. */
export function fetched(state: State): void {
  state.mirror = new Map(state.refs)
  for (const tip of state.refs.values())
    for (let commit: Commit | undefined = tip; commit; commit = commit.parent) state.fetched.add(commit)
}

/** The commit of a revision according to the last fetch. Earlier commits are kept. */
export function resolved(state: State, rev: string): Commit | undefined {
  const named = state.mirror.get(`refs/heads/${rev}`) ?? state.mirror.get(`refs/tags/${rev}`)
  return named ?? [...state.fetched].find(({ sha }) => sha === rev)
}

/** The names of actions contain the commit. */
export const actionOf = ({ number }: Commit): string => `go-${number}`

function filesOf(content: Content, number: number): Record<string, string> {
  const actions = `actions:\n  go-${number}: { description: Goes, run: echo }\n`
  const web = {
    plain: { 'web/actions.yaml': actions },
    program: { 'web/actions.ts': `// ${number}\n` },
    asking: { 'web/actions.ts': `// ${number}\n` },
    faulty: { 'web/actions.yaml': 'actions: 5\n', 'web/number': `${number}` },
    absent: { elsewhere: `${number}` },
  }[content] as Record<string, string>
  return { ...web, 'job/actions.yaml': actions }
}
