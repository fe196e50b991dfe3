import { rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { needsServer, projectFolder, startTestServer } from '../tests/support/database-server.ts'
import { haveSandbox } from '../tests/support/sandbox-program.ts'
import { allTests, runTests, withTestServer } from '../tests/support/test-run.ts'
import { changedTests } from './changed-tests.ts'

/** Program of `bin/test`. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean' },
    since: { type: 'string', default: 'main' },
    watch: { type: 'boolean', default: false },
    'test-name-pattern': { type: 'string', short: 't', multiple: true, default: [] },
    stop: { type: 'boolean' },
  },
})
if (values.stop) await stopSharedServer()
else process.exitCode = await test(chosenFiles())

function chosenFiles(): string[] {
  const named = positionals.map(file => relative(projectFolder, resolve(file)))
  if (!values.changed) return named.length > 0 ? named : allTests()
  const { changed, tests } = changedTests(projectFolder, values.since)
  console.log(`${changed.length} files changed since ${values.since}, ${tests.length} test files depend on them.`)
  return [...tests, ...named]
}

/** Runs the files and returns the exit code. Files without `.db.` in their names have no server started for them. */
async function test(files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0
  await haveSandbox(files)
  const how = { names: values['test-name-pattern'], watch: values.watch, show: 'all' } as const
  const server = process.env['SLUICE_TEST_DATABASE_URL'] || undefined
  const { failed } =
    server !== undefined || !files.some(needsServer)
      ? await runTests(files, { server, ...how })
      : await withTestServer({}, own => runTests(files, { server: own, ...how }))
  return failed > 0 ? 1 : 0
}

async function stopSharedServer(): Promise<void> {
  const server = await startTestServer(join(projectFolder, '.local/test-database'))
  await server.stop()
  await rm(join(server.cluster, '..'), { recursive: true })
}
