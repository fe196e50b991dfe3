import type { RunAs } from '#platform/db/embedded/run-program.ts'
import { findBubblewrap, sandboxOf, whyRefused } from '../../../../../runner/sandbox/sandbox.ts'

/** Isolation of the steps on this host from one another and from the service. */
export interface StepIsolation {
  /** Whether bubblewrap can be used here. Settings may still switch it off for a node. */
  readonly sandboxed: boolean
  /** Whether steps run as a user other than the service's own. */
  readonly ownUser: boolean
  /** Warning for the operator of the service, if steps are not in a sandbox. */
  readonly warning?: string
}

/**
 * Tries the sandbox of steps on this host.
 *
 * @param hide the folders that a step in it does not see
 */
export async function stepIsolation(where: {
  runAs?: (RunAs & { name: string }) | undefined
  hide: readonly string[]
}): Promise<StepIsolation> {
  const { runAs, hide } = where
  const ownUser = runAs !== undefined
  const bwrap = findBubblewrap()
  const refused = bwrap
    ? await whyRefused(sandboxOf({ hide, show: [], read: [] }, { bwrap, cwd: '/' }), {
        env: {},
        ...(runAs && { runAs }),
      })
    : 'bubblewrap is not installed'
  if (refused === undefined) return { sandboxed: true, ownUser }
  return { sandboxed: false, ownUser, warning: withoutSandbox(refused, runAs?.name) }
}

const withoutSandbox = (why: string, user: string | undefined): string =>
  `Steps run without a sandbox (${why}). ${
    user === undefined
      ? 'They run as the service itself: each step can read and change the files of the service and of all other steps.'
      : `They all run as the user ${user}: each step can read and change the files and processes of all other steps.`
  } SECURITY.md says what is separated in which mode.`
