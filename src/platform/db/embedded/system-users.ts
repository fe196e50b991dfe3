import { chownSync, mkdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CannotStart } from './cannot-start.ts'
import { runProgram } from './run-program.ts'

/** A user of the operating system. Its processes may write to `home`. */
type SystemUser = { name: string; uid: number; gid: number; home: string }

export type SystemUsers = {
  database: SystemUser
  runner: SystemUser
  /** User for preparation; if it cannot be created, runners of different changes share nothing. */
  preparer?: SystemUser
}

/**
 * The users of a service that root started: `sluice-db` for PostgreSQL, which refuses to run as root, `sluice-run` for
 * the programs that run users' actions, and `sluice-prepare` for what is prepared once for the actions of different
 * changes. They differ, so that an action can neither signal the others' processes nor change their files; the user
 * `nobody` is not used, because other daemons share it.
 *
 * They are created once. `undefined` if the service is not root: then everything runs as its own user.
 *
 * @param runnerUser an existing user to run actions as, instead of `sluice-run`
 */
export async function ensureSystemUsers({
  runnerUser,
}: {
  runnerUser?: string | undefined
} = {}): Promise<SystemUsers | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const database = (await findUser('sluice-db')) ?? (await makeUser('sluice-db', '/nonexistent'))
  const runner = runnerUser
    ? await chosenRunner(runnerUser, database)
    : ((await findUser('sluice-run')) ?? (await makeUser('sluice-run', '/var/lib/sluice-run')))
  if (!runnerUser) giveHome(runner)
  const preparer = await preparing(runner)
  return { database, runner, ...(preparer && { preparer }) }
}

async function preparing(runner: SystemUser): Promise<SystemUser | undefined> {
  const name = 'sluice-prepare'
  const user = (await findUser(name)) ?? (await makeUser(name, '/nonexistent').catch(() => undefined))
  return user && user.uid !== 0 && user.uid !== runner.uid ? user : undefined
}

async function chosenRunner(name: string, database: SystemUser): Promise<SystemUser> {
  const user = await findUser(name)
  if (!user) throw new CannotStart(`SLUICE_RUNNER_USER names the user ${name}, who does not exist on this machine.`)
  if (user.uid === 0 || user.uid === database.uid) {
    throw new CannotStart(
      `SLUICE_RUNNER_USER is ${name}: actions must not run as root nor as the database's user. Name an ordinary user, or leave it out.`,
    )
  }
  return user
}

/** Finds a user through `getent`, so that users from a directory count like those of /etc/passwd. */
async function findUser(name: string): Promise<SystemUser | undefined> {
  const { code, output } = await runProgram('/usr/bin/getent', ['passwd', name])
  if (code !== 0) return undefined
  const [, , uid, gid, , home] = output.split(':')
  return { name, uid: Number(uid), gid: Number(gid), home: home ?? '/' }
}

async function makeUser(name: string, home: string): Promise<SystemUser> {
  const ways: [string, string[]][] = [
    [
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--home-dir', home, '--shell', '/usr/sbin/nologin', name],
    ],
    ['adduser', ['--system', '--group', '--no-create-home', '--home', home, name]],
  ]
  const said: string[] = []
  // Another start may be creating the same user: useradd then finds /etc/passwd locked, or the user already there.
  for (let attempt = 0; attempt < 5; attempt++) {
    for (const [program, args] of ways) {
      said.push(await outputOf(program, args))
      const user = await findUser(name)
      if (user) return user
    }
    await wait(200)
  }
  throw new CannotStart(
    `Started by root, Sluice needs the system user ${name}, which could not be made: ${said.at(0)}. ` +
      `Make it with "useradd --system ${name}", or start Sluice as an ordinary user.`,
  )
}

async function outputOf(program: string, args: string[]): Promise<string> {
  try {
    return (await runProgram(program, args)).output
  } catch (error) {
    return String(error)
  }
}

function giveHome(user: SystemUser): void {
  mkdirSync(user.home, { recursive: true, mode: 0o700 })
  chownSync(user.home, user.uid, user.gid)
}
