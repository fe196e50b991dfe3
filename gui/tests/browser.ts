import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { debianProgram } from '../../tests/support/debian-packages.ts'

/**
 * Names under which distributions install Chromium and Chrome. The shell without windows comes first: it draws the same
 * and takes a third less time of the processors.
 */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Path of the browser for the tests: the one that SLUICE_TEST_CHROMIUM names, else one on the PATH, else Debian's, which
 * is installed if it is missing and the tests run as root.
 *
 * @param install installs Debian's Chromium and returns its path
 * @throws Error that says how to get a browser
 */
export async function testBrowser(
  { SLUICE_TEST_CHROMIUM: named = '', PATH: path = '' }: Environment = process.env,
  install: () => Promise<string> = () =>
    debianProgram({ path: '/usr/bin/chromium-headless-shell', packages: ['chromium-headless-shell'] }),
): Promise<string> {
  if (named !== '') {
    if (isProgram(named)) return named
    throw new Error(`SLUICE_TEST_CHROMIUM should be the path of Chromium or Chrome. There is no program ${named}.`)
  }
  const folders = path.split(delimiter).filter(folder => folder !== '')
  const found = names.flatMap(name => folders.map(folder => join(folder, name))).find(isProgram)
  if (found !== undefined) return found
  return install().catch(error => {
    const advice = 'Chromium or Chrome at another place is used if it is on the PATH, or named by SLUICE_TEST_CHROMIUM.'
    throw new Error(`The tests of the web application need a browser. ${(error as Error).message}. ${advice}`)
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Absent or not executable: both mean that it cannot be started.
    return false
  }
}
