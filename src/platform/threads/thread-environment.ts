import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Environment of a thread: only the folder of Node's compile cache for this process. A thread does not inherit it, and
 * would load the compiler of TypeScript first, which is most of its start.
 */
export function threadEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir()
  // Its last part is added by Node: a folder for each of its versions.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
