import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder, startTestServer } from '../tests/support/database-server.ts'
import { haveSandbox } from '../tests/support/sandbox-program.ts'
import { allTests, runTests, withTestServer } from '../tests/support/test-run.ts'

/** What `bin/test` runs. */
const args = process.argv.slice(2)
if (args[0] === '--stop') {
  await stopSharedServer()
} else {
  const files = args.length > 0 ? args : allTests()
  await haveSandbox()
  const named = process.env['SLUICE_TEST_DATABASE_URL']
  const tally = named
    ? await runTests(files, { server: named, show: 'all' })
    : await withTestServer({}, server => runTests(files, { server, show: 'all' }))
  process.exitCode = tally.failed > 0 ? 1 : 0
}

async function stopSharedServer(): Promise<void> {
  const server = await startTestServer(join(projectFolder, '.local/test-database'))
  await server.stop()
  await rm(join(server.cluster, '..'), { recursive: true })
}
