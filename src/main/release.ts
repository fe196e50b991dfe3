import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson } from '#json/from-json.ts'

const projectFolder = join(import.meta.dirname, '../..')

/** Number of this release: `0.1.0`. */
export const release = (): string =>
  fromJson<{ version: string }>(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version

/** The day on which the interface last changed. Updated with each change. */
const interfaceDay = '2026-11-21'

/** `2026-11-21 (1a2b3c4)`: the date of the interface and the build, which is the commit if there is one. */
export const interfaceVersion = (): string => `${interfaceDay} (${build()})`

function build(): string {
  const head = readFile('.git/HEAD')?.trim()
  const ref = head?.startsWith('ref: ') ? head.slice(5) : undefined
  const commit = ref ? (readFile(`.git/${ref}`)?.trim() ?? packedRef(ref)) : head
  return commit ? commit.slice(0, 7) : release()
}

const packedRef = (ref: string): string | undefined =>
  readFile('.git/packed-refs')
    ?.split('\n')
    .find(line => line.endsWith(` ${ref}`))
    ?.slice(0, 40)

function readFile(path: string): string | undefined {
  try {
    return readFileSync(join(projectFolder, path), 'utf8')
  } catch {
    // An installed package is no checkout: its build is its release.
    return undefined
  }
}
