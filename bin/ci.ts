import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../tests/support/database-server.ts'
import { haveSandbox } from '../tests/support/sandbox-program.ts'
import { allTests, failureTests, run, runTests, type Tally, withTestServer } from '../tests/support/test-run.ts'
import { olderPostgres } from './older-postgres.ts'

/** What `bin/ci` runs: every stage, even after one that failed, and at last one line with the sum. */

type Stage = { name: string; what: string; run: () => Promise<Tally> }

/** A program of a package, on the Node that we run on: the one in the machine's path may be too old for it. */
const packageProgram = (name: string, args: string[]) =>
  check(process.execPath, [join(projectFolder, 'node_modules/.bin', name), ...args])

const stages: Stage[] = [
  {
    name: 'format',
    what: 'format and lint',
    run: () => packageProgram('biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
  },
  { name: 'types', what: 'types', run: () => packageProgram('tsc', ['--noEmit']) },
  { name: 'imports', what: 'who imports whom', run: importRules },
  {
    name: 'unused',
    what: 'unused files, exports and dependencies',
    run: () => packageProgram('knip', ['--no-progress', '--no-config-hints']),
  },
  {
    name: 'schema',
    what: 'db/schema.sql is what the migrations lead to',
    run: () => check(process.execPath, ['bin/schema.ts', '--check']),
  },
  { name: 'tests', what: 'unit, database, contract and end-to-end tests', run: () => onServer(allTests()) },
  { name: 'postgres15', what: 'migrations and contract tests on PostgreSQL 15', run: onOlderPostgres },
  {
    name: 'main-job',
    what: 'the main job, as a client does it',
    run: () => check(join(projectFolder, 'bin/main-job'), []),
  },
  {
    name: 'failure',
    what: 'the service, its runners and its database die, at every failpoint and at random',
    run: () => onServer(failureTests()),
  },
  {
    name: 'bare-machine',
    what: 'a fresh clone on a bare machine',
    run: () => onServer(globSync('tests/bare-machine/*.test.ts', { cwd: projectFolder })),
  },
]

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !stages.some(stage => stage.name === name))
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. There are: ${stages.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
} else {
  await haveSandbox()
  await prove(stages.filter(({ name }) => asked.length === 0 || asked.includes(name)))
}

async function prove(chosen: Stage[]): Promise<void> {
  const sum = { passed: 0, failed: 0 }
  const lines: string[] = []
  const failures: string[] = []
  for (const { name, what, run: prove } of chosen) {
    console.log(`\n== ${name}: ${what}`)
    const started = performance.now()
    const tally = await prove().catch(failedWith)
    sum.passed += tally.passed
    sum.failed += tally.failed
    failures.push(...(tally.failures ?? []))
    lines.push(
      `${tally.failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(14)} ${String(tally.passed).padStart(5)} passed ${String(tally.failed).padStart(4)} failed ${seconds(started).padStart(8)}`,
    )
    console.log(lines.at(-1))
  }
  // Once more at the end: of a long output that is what a build server shows.
  for (const failure of failures) console.log(`\n✖ ${failure.replaceAll('\n', '\n  ')}`)
  console.log(`\n${lines.join('\n')}\n\n${sum.passed} passed, ${sum.failed} failed`)
  process.exitCode = sum.failed > 0 ? 1 : 0
}

function failedWith(error: unknown): Tally {
  console.error(error instanceof Error ? error.message : error)
  return { passed: 0, failed: 1 }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** A check is one test: it passes when its program ends with 0. */
async function check(program: string, args: string[]): Promise<Tally> {
  return (await run(program, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function importRules(): Promise<Tally> {
  const folders = [
    'src',
    'runner',
    'json',
    'audit',
    'authoring',
    'actions',
    'client',
    'cli',
    'gui',
    'examples',
    'bench',
    'bin',
    'tests',
  ]
  const standing = folders.filter(folder => existsSync(join(projectFolder, folder)))
  return packageProgram('depcruise', ['--config', '.dependency-cruiser.cjs', ...standing])
}

async function onServer(files: string[]): Promise<Tally> {
  return withTestServer({}, server => runTests(files, { server, show: 'failures' }))
}

async function onOlderPostgres(): Promise<Tally> {
  const files = globSync(['src/platform/db/*.db.test.ts', 'tests/contract/**/*.test.ts'], { cwd: projectFolder }).sort()
  const binaries = await olderPostgres()
  return withTestServer({ binaries }, server => runTests(files, { server, show: 'failures' }))
}
