import { join } from 'node:path'
import { projectFolder } from './database-server.ts'

/**
 * Environment of processes started by tests: the folder in which Node caches the project's compiled code. Each test
 * file, service and command is a process of its own that loads hundreds of modules, and the cache saves half of the
 * processor time of that. Node compares cached code with the files.
 */
export const compiledCode = { NODE_COMPILE_CACHE: join(projectFolder, '.local/compile-cache') } as const
