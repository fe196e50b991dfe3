import { type Failure, failure } from '#platform/failure.ts'

/**
 * Failure for a change whose commit is not known: the layers of the repository would be missing, and each of the others
 * could mean something else.
 */
export const noCommit = (change: { readonly git_rev: string; readonly git_remote_name: string }): Failure =>
  failure(
    'wrong-state',
    `The change has no properties of its own: which commit ${change.git_rev} of ${change.git_remote_name} is has not been found out. Ask for those of its node.`,
  )
