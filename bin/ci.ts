import { existsSync, globSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { runGuiTests } from '../gui/tests/run.ts'
import { projectFolder } from '../tests/support/database-server.ts'
import { haveSandbox } from '../tests/support/sandbox-program.ts'
import {
  allTests,
  failureTests,
  type Print,
  run,
  runTests,
  type Tally,
  withTestServer,
} from '../tests/support/test-run.ts'
import { olderPostgres } from './older-postgres.ts'

/** Program of `bin/ci`: runs every stage, even after one that failed, and prints the totals in the last line. */

interface Stage {
  readonly name: string
  readonly what: string
  /**
   * Checks take seconds and run side by side. Tests use all processors: two stages at once would take as long as one
   * after the other, and exceed the time limits of tests.
   */
  readonly kind: 'checks' | 'tests'
  readonly run: (print: Print) => Promise<Tally>
}

/** Runs a program of a package on this process's Node: the one in the machine's path may be too old for it. */
const packageProgram = (print: Print, name: string, ...args: string[]) =>
  check(print, process.execPath, join(projectFolder, 'node_modules/.bin', name), ...args)

const stages: readonly Stage[] = [
  {
    name: 'format',
    what: 'format and lint',
    kind: 'checks',
    run: print => packageProgram(print, 'biome', 'ci', '--colors=off', '--error-on-warnings', '.'),
  },
  { name: 'types', what: 'types', kind: 'checks', run: print => packageProgram(print, 'tsc', '--noEmit') },
  {
    name: 'gui-types',
    what: 'types of the web application',
    kind: 'checks',
    run: print => packageProgram(print, 'tsc', '--noEmit', '-p', 'gui'),
  },
  { name: 'imports', what: 'who imports whom', kind: 'checks', run: importRules },
  {
    name: 'unused',
    what: 'unused files, exports and dependencies',
    kind: 'checks',
    run: print => packageProgram(print, 'knip', '--no-progress', '--no-config-hints'),
  },
  {
    name: 'schema',
    what: 'db/schema.sql is up to date',
    kind: 'checks',
    run: print => check(print, process.execPath, 'bin/schema.ts', '--check'),
  },
  {
    name: 'tests',
    what: 'unit, database, contract and end-to-end tests',
    kind: 'tests',
    run: print => onServer(print, allTests()),
  },
  {
    name: 'failure',
    what: 'the service, its runners and its database die, at every failpoint and at random',
    kind: 'tests',
    run: print => onServer(print, failureTests()),
  },
  {
    name: 'gui',
    what: 'the web application in a browser',
    kind: 'tests',
    run: print => withTestServer({}, server => runGuiTests(server, { print })),
  },
  {
    name: 'bare-machine',
    what: 'a fresh clone on a bare machine',
    kind: 'tests',
    run: print => onServer(print, globSync('tests/bare-machine/*.test.ts', { cwd: projectFolder })),
  },
  {
    name: 'main-job',
    what: 'the main job, as a client does it',
    kind: 'tests',
    run: print => check(print, join(projectFolder, 'bin/main-job')),
  },
  {
    name: 'postgres15',
    what: 'migrations and contract tests on PostgreSQL 15',
    kind: 'tests',
    run: onOlderPostgres,
  },
]

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !stages.some(stage => stage.name === name))
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. There are: ${stages.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
} else {
  await haveSandbox(allTests())
  await prove(stages.filter(({ name }) => asked.length === 0 || asked.includes(name)))
}

async function prove(chosen: readonly Stage[]): Promise<void> {
  const of = (kind: Stage['kind']) => chosen.filter(stage => stage.kind === kind)
  const checks = await Promise.all(of('checks').map(proveStage))
  const results = [...checks, ...(await oneByOne(of('tests')))]
  const sum = { passed: 0, failed: 0 }
  for (const { tally } of results) {
    sum.passed += tally.passed
    sum.failed += tally.failed
    // Printed again at the end: build servers show the end of a long output.
    for (const failure of tally.failures ?? []) console.log(`\n✖ ${failure.replaceAll('\n', '\n  ')}`)
  }
  console.log(`\n${results.map(({ line }) => line).join('\n')}\n\n${sum.passed} passed, ${sum.failed} failed`)
  process.exitCode = sum.failed > 0 ? 1 : 0
}

interface Result {
  readonly tally: Tally
  /** Stage, counts and duration. */
  readonly line: string
}

async function oneByOne(these: readonly Stage[]): Promise<Result[]> {
  const results: Result[] = []
  for (const stage of these) results.push(await proveStage(stage))
  return results
}

/** Runs a stage. Stages run side by side, so each line of output begins with the stage's name. */
async function proveStage({ name, what, run: prove }: Stage): Promise<Result> {
  const print = (line: string) => console.log(`${name.padEnd(12)} | ${line}`)
  print(what)
  const started = performance.now()
  const before = processorTimes()
  const tally = await prove(print).catch(error => failedWith(error, print))
  const counts = `${String(tally.passed).padStart(5)} passed ${String(tally.failed).padStart(4)} failed`
  const line = `${tally.failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(14)} ${counts} ${seconds(started).padStart(8)} ${busySince(before)}`
  print(line)
  return { tally, line }
}

function failedWith(error: unknown, print: Print): Tally {
  const message = error instanceof Error ? error.message : String(error)
  print(message)
  return { passed: 0, failed: 1, failures: [message] }
}

/** Milliseconds that all processors of the machine have worked, and that they have had, since it started. */
function processorTimes(): { busy: number; all: number } {
  const sum = { busy: 0, all: 0 }
  for (const { times } of cpus()) {
    const all = Object.values(times).reduce((one, other) => one + other, 0)
    sum.busy += all - times.idle
    sum.all += all
  }
  return sum
}

/**
 * Processor time of the machine and its share of the time that processors had: a stage that mostly waits becomes faster
 * by more processes, any other by less work.
 */
function busySince(before: ReturnType<typeof processorTimes>): string {
  const now = processorTimes()
  const busy = now.busy - before.busy
  return `${String(Math.round(busy / 1_000)).padStart(5)} CPU s, ${Math.round((100 * busy) / (now.all - before.all))} % busy`
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** Runs a check, which counts as one test: it passes when its program ends with 0. */
async function check(print: Print, program: string, ...args: string[]): Promise<Tally> {
  const said: string[] = []
  const code = await run(program, args, {
    print: line => {
      said.push(line)
      print(line)
    },
  })
  if (code === 0) return { passed: 1, failed: 0 }
  return { passed: 0, failed: 1, failures: [`${[program, ...args].join(' ')}\n${said.slice(-40).join('\n')}`] }
}

function importRules(print: Print): Promise<Tally> {
  const folders = [
    'src',
    'runner',
    'json',
    'audit',
    'authoring',
    'protocol',
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
  return packageProgram(print, 'depcruise', '--config', '.dependency-cruiser.cjs', ...standing)
}

async function onServer(print: Print, files: string[]): Promise<Tally> {
  return withTestServer({}, server => runTests(files, { server, show: 'failures', print }))
}

/** Runs the tests that need a server on the oldest supported PostgreSQL. Others do not depend on its version. */
async function onOlderPostgres(print: Print): Promise<Tally> {
  const patterns = ['src/platform/db/*.db.test.ts', 'tests/contract/**/*.db.test.ts']
  const files = globSync(patterns, { cwd: projectFolder }).sort()
  const binaries = await olderPostgres()
  return withTestServer({ binaries }, server => runTests(files, { server, show: 'failures', print }))
}
