import { globSync } from 'node:fs'
import { projectFolder } from '../tests/support/database-server.ts'
import { runTests } from '../tests/support/test-run.ts'

/** Program of `bin/main-job`. The services that it starts bring their own databases. */
const files = globSync('tests/main-job/*.test.ts', { cwd: projectFolder }).sort()
const { passed, failed } = await runTests(files, { server: undefined, show: 'all' })
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
