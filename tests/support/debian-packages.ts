import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { run } from './test-run.ts'

/** A program that tests need and that npm does not provide. */
export interface DebianProgram {
  readonly path: string
  readonly packages: readonly string[]
  /** Answers to questions of the package: `slapd slapd/no_configuration boolean true`. */
  readonly preset?: string
  /** Whether the package would start a service of the machine, which no test wants. */
  readonly isService?: true
}

/**
 * Ensures that a program is installed: through apt if it is missing and permitted. If it is not available this fails
 * with instructions; no test is skipped because of it.
 */
export async function debianProgram({ path, packages, preset, isService }: DebianProgram): Promise<string> {
  if (existsSync(path)) return path
  const missing = `${path} is missing. As root on Debian 12: apt-get install ${packages.join(' ')}`
  if (process.getuid?.() !== 0) throw new Error(missing)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Several files of one run may need it at the same time.
  const wait = ['-o', 'DPkg::Lock::Timeout=300', '-q']
  if (preset) await run('sh', ['-c', `echo "${preset}" | debconf-set-selections`], { env })
  await run('apt-get', [...wait, 'update'], { env })
  const install = () => run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...packages], { env })
  await (isService ? withoutStarting(install) : install())
  if (!existsSync(path)) throw new Error(missing)
  return path
}

/**
 * Debian's policy-rc.d, which decides whether services may be started: refuses, unless the machine has one of its own.
 */
async function withoutStarting(install: () => Promise<unknown>): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return void (await install())
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await install()
  } finally {
    rmSync(policy)
  }
}
