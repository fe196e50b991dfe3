import { join } from 'node:path'
import { projectFolder } from './database-server.ts'

/**
 * Of the environment of a process that tests start: where Node keeps the project's code without its types, compiled. Each
 * test file, service and command is a process of its own that loads hundreds of modules, and what is kept of them is half
 * of the processor time of that. Node compares what it keeps with the files.
 */
export const compiledCode = { NODE_COMPILE_CACHE: join(projectFolder, '.local/compile-cache') } as const
