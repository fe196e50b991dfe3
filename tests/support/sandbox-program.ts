import { debianProgram } from './debian-packages.ts'

/**
 * Has bubblewrap there before any test starts: runners take it where they find it, and behave the same throughout a run
 * only if it does not come in the middle. Where it cannot be had the tests of the sandbox fail, and this says why.
 */
export async function haveSandbox(): Promise<void> {
  await debianProgram({ path: '/usr/bin/bwrap', packages: ['bubblewrap'] }).catch((error: Error) =>
    console.error(`${error.message}. Without it the tests of the sandbox fail.`),
  )
}
