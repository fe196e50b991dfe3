import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compiledCode } from '../../tests/support/compiled-code.ts'
import { projectFolder } from '../../tests/support/database-server.ts'
import { type Print, run, type Tally } from '../../tests/support/test-run.ts'
import { testBrowser } from './browser.ts'

/** JSON report of Playwright, as far as it is read here. */
interface PlaywrightReport {
  readonly suites: readonly Suite[]
  readonly errors: readonly { readonly message?: string }[]
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
}
interface Suite {
  readonly title: string
  readonly specs?: readonly {
    readonly title: string
    readonly ok: boolean
    readonly file: string
    readonly line: number
    readonly tests: readonly { readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[]
  }[]
  readonly suites?: readonly Suite[]
}

/**
 * Runs the tests in the browser on the built pages. Skipped tests count as failed. Those that passed only when they were
 * run again, as is done on build servers, are named at the end.
 *
 * @param server superuser URL of a PostgreSQL for the tests
 */
export async function runGuiTests(
  server: string,
  { args = [], print }: { args?: readonly string[]; print?: Print } = {},
): Promise<Tally> {
  if (!existsSync(join(projectFolder, '.local/gui/index.html')))
    return broken('The web application is not built: run bin/setup.', print)
  let browser: string
  try {
    browser = await testBrowser()
  } catch (error) {
    return broken((error as Error).message, print)
  }
  mkdirSync(join(projectFolder, '.local/gui-tests'), { recursive: true })
  const file = join(projectFolder, '.local/gui-tests-report.json')
  const program = join(projectFolder, 'node_modules/.bin/playwright')
  const code = await run(
    process.execPath,
    [program, 'test', '-c', 'gui/playwright.config.ts', '--reporter=list,json', ...args],
    {
      env: {
        ...process.env,
        ...compiledCode,
        SLUICE_TEST_CHROMIUM: browser,
        SLUICE_TEST_DATABASE_URL: server,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      },
      ...(print && { print }),
    },
  )
  const { suites, errors, stats } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport
  const failures = [...errors.map(({ message = '' }) => message), ...suites.flatMap(failedIn)]
  const failed = stats.unexpected + stats.skipped + errors.length
  for (const each of suites.flatMap(flakyIn)) (print ?? console.log)(`Passed only when run again: ${each}`)
  return { passed: stats.expected + stats.flaky, failed: failed === 0 && code !== 0 ? 1 : failed, failures }
}

/** Result of a run that could not begin. */
function broken(why: string, print: Print = console.error): Tally {
  print(why)
  return { passed: 0, failed: 1, failures: [why] }
}

type Spec = NonNullable<Suite['specs']>[number]

const specsIn = ({ specs = [], suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsIn)]
const nameOf = ({ title, file, line }: Spec): string => `gui/tests/${file}:${line} ${title}`
const failedIn = (suite: Suite): string[] =>
  specsIn(suite)
    .filter(({ ok }) => !ok)
    .map(nameOf)
const flakyIn = (suite: Suite): string[] =>
  specsIn(suite)
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(nameOf)
