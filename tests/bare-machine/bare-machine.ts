import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { RunAs } from '../../src/platform/db/embedded/run-program.ts'
import { projectFolder } from '../support/database-server.ts'

/** A fresh clone of HEAD at a newcomer's likely path, and its user. */
export type Clone = { folder: string; user: RunAs | undefined; home: string | undefined; remove(): void }

export type Output = { code: number | null; text: string }

/**
 * Clones the project to a path of more than 120 characters, below a folder that only its owner may enter.
 *
 * @param user owner of the clone; undefined: the user of this process
 * @param home its home folder; undefined: HOME is not set at all
 */
export function freshClone(user: RunAs | undefined, home: string | undefined): Clone {
  const closed = mkdtempSync('/tmp/sluice-newcomer-')
  chmodSync(closed, 0o700)
  const folder = join(closed, 'a-folder-in-a-folder'.padEnd(100, '-and-so-on'), 'sluice')
  mkdirSync(join(folder, '..'), { recursive: true })
  must('git', ['clone', '--quiet', '--no-hardlinks', projectFolder, folder])
  if (user) must('chown', ['-R', `${user.uid}:${user.gid}`, closed])
  return { folder, user, home, remove: () => rmSync(closed, { recursive: true, force: true }) }
}

/** A user of this test's own, with an empty home folder. */
export function newUser(t: TestContext): { user: RunAs; home: string } {
  const name = `sluice-new-${randomBytes(4).toString('hex')}`
  must('useradd', ['--no-create-home', '--home-dir', `/home/${name}`, name])
  t.after(() => must('userdel', [name]))
  const [uid, gid] = ['-u', '-g'].map(flag => Number(must('id', [flag, name])))
  const home = `/home/${name}`
  mkdirSync(home, { mode: 0o700 })
  must('chown', [`${uid}:${gid}`, home])
  t.after(() => rmSync(home, { recursive: true }))
  return { user: { uid: uid!, gid: gid! }, home }
}

function must(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/**
 * Runs a program of the clone with an environment of only PATH (with the machine's own Node, not ours), a port, and
 * HOME if given. `until`: stops it, as Ctrl-C does, once it has written that text.
 */
export function runInClone(clone: Clone, program: string, args: string[], until?: string): Promise<Output> {
  const child = spawn(join(clone.folder, program), args, {
    ...clone.user,
    cwd: clone.folder,
    env: { PATH: machinePath(), SLUICE_PORT: '0', ...(clone.home !== undefined && { HOME: clone.home }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let seen = false
  const read = (chunk: Buffer) => {
    text += chunk
    if (until === undefined || seen || !text.includes(until)) return
    seen = true
    child.kill('SIGINT')
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, text }))
  })
}

/** Search path without the Node that bin/setup installed for this project; a newcomer's clone installs its own. */
function machinePath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder && !folder.includes('/.local/'))
  const ofNode = folders.find(folder => existsSync(join(folder, 'node')))
  return [...new Set([...(ofNode ? [ofNode] : []), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'])].join(
    delimiter,
  )
}

/** Processes that work in the clone or in its data, by number: left behind by a stop. */
export function processesIn(folders: string[]): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => Number.isInteger(pid) && folders.some(folder => workingFolder(pid)?.startsWith(folder)))
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // Ended meanwhile, or unreadable because of another user.
    return undefined
  }
}
