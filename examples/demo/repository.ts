import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The example as a Git repository in `folder`: made the first time, brought up to date later. Each state of it has a
 * tag: `v1.0`, `v1.1`, …
 */
export function demoRepository(example: string, folder: string): { url: string; tag: string; commit: string } {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, '.git'))) git(folder, 'init', '--quiet', '--initial-branch=main')
  for (const name of readdirSync(folder)) if (name !== '.git') rmSync(join(folder, name), { recursive: true })
  cpSync(example, folder, { recursive: true })

  git(folder, 'add', '--all')
  if (git(folder, 'status', '--porcelain')) git(folder, 'commit', '--quiet', '--message=The webshop, as an example')
  const tag = `v1.${Number(git(folder, 'rev-list', '--count', 'HEAD')) - 1}`
  if (!git(folder, 'tag', '--list', tag)) git(folder, 'tag', tag)
  return { url: pathToFileURL(folder).href, tag, commit: git(folder, 'rev-parse', 'HEAD') }
}

/** Nobody's own configuration counts: not their name, their hooks, their signing key. */
function git(folder: string, ...args: string[]): string {
  const name = { NAME: 'Sluice demo', EMAIL: 'demo@sluice.example' }
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: join(folder, '..'),
    ...Object.fromEntries(
      Object.entries(name).flatMap(([key, value]) =>
        [`AUTHOR_${key}`, `COMMITTER_${key}`].map(k => [`GIT_${k}`, value]),
      ),
    ),
  }
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim()
}
