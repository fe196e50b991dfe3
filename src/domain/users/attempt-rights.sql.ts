import type { Right, Rights } from '#platform/actor.ts'
import { sql } from '#platform/db/sql.ts'

/** The node of the step, and its project. */
export interface AttemptPlace extends ProjectScope {
  nodePath: string
}

/** A project outside of which there are no rights. */
export interface ProjectScope {
  projectId: string
  projectPath: string
}

/** Collections of child nodes: paths below them belong to other nodes. */
const childCollections = new Set(['environments', 'assets', 'agents'])

/**
 * The rights of a running step: its creator's, limited to the project of the change; never policies, never the secrets
 * of other nodes. Paths outside of projects, such as administration, users and tokens, are excluded.
 */
export const rightsOfAttempt = (creator: Rights, place: AttemptPlace): Rights =>
  cutToProject(creator, place, place.nodePath)

/**
 * The rights of records created with a step's token, once they act themselves: those of the token, without secrets of
 * any node.
 */
export const rightsInScope = (creator: Rights, scope: ProjectScope): Rights => cutToProject(creator, scope, undefined)

function cutToProject(creator: Rights, place: ProjectScope, nodePath: string | undefined): Rights {
  const inProject = (path: string) => path === place.projectPath || path.startsWith(`${place.projectPath}/`)
  const ofItsNode = (path: string) =>
    nodePath !== undefined &&
    path.startsWith(`${nodePath}/`) &&
    !childCollections.has(path.slice(nodePath.length + 1).split('/')[0]!)
  const beyond = (path: string) => {
    const segments = path.split('/')
    return segments.includes('authorisation_policies') || (segments.includes('secrets') && !ofItsNode(path))
  }
  const reaches = (path: string) => inProject(path) && !beyond(path)
  return {
    superuser: false,
    ...(creator.blocked && { blocked: true as const }),
    may: (right, path) => reaches(path) && creator.may(right, path),
    mayBelow: path => {
      const may = creator.mayBelow?.(path) ?? ((right: Right, below: string) => creator.may(right, path + below))
      return (right, below) => reaches(path + below) && may(right, below)
    },
    visible: record => sql<boolean>`
      (${record.projectId} = ${place.projectId}::uuid
       and ${record.path} !~ '(^|/)authorisation_policies(/|$)'
       and ${creator.visible(record)})`,
    ...(creator.undenied && { undenied: creator.undenied }),
  }
}
