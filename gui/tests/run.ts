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
  }[]
  readonly suites?: readonly Suite[]
}

/**
 * Runs the tests in the browser on the built pages. Skipped tests count as failed, and so do those that passed only when
 * they were run again.
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
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length
  return { passed: stats.expected, failed: failed === 0 && code !== 0 ? 1 : failed, failures }
}

/** Result of a run that could not begin. */
function broken(why: string, print: Print = console.error): Tally {
  print(why)
  return { passed: 0, failed: 1, failures: [why] }
}

const failedIn = ({ specs = [], suites = [] }: Suite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ title, file, line }) => `gui/tests/${file}:${line} ${title}`),
  ...suites.flatMap(failedIn),
]
