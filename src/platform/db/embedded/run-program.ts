import { spawn } from 'node:child_process'

/** A user of the operating system that a process runs as. */
export type RunAs = { uid: number; gid: number }

export type ProgramEnd = { code: number | null; output: string }

/**
 * Runs a program to its end and returns its exit code and its output.
 *
 * The environment is fixed and empty: `PGDATA`, `PGHOST`, `LC_ALL` and the like in a person's shell must not affect the
 * result. The working folder is `/`, because `as` may not be able to enter the caller's own.
 */
export function runProgram(program: string, args: string[], as?: RunAs): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...as, cwd: '/', env: bareEnvironment, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', chunk => chunks.push(chunk))
    child.stderr.on('data', chunk => chunks.push(chunk))
    child.once('error', reject)
    child.once('close', code => resolve({ code, output: Buffer.concat(chunks).toString('utf8').trim() }))
  })
}

export const bareEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Asks the kernel, as that user, whether a path can be reached and executed: modes, ACLs and mounts all count. */
export async function canExecute(path: string, as: RunAs): Promise<boolean> {
  const { code } = await runProgram('/usr/bin/test', ['-x', path], as)
  return code === 0
}
