import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { passwordOf } from '../support/service.ts'
import { type CommandLine, runProgram } from './command-line.ts'

interface Step {
  readonly command: string
  /** Expected output as in the guide; … matches any text. */
  readonly output: string
}

/**
 * Creates the program `sluice` for the commands of guides, as one file: it starts in two thirds of the time, and guides have
 * hundreds of commands. Returns the PATH that contains it.
 */
export async function pathWithSluice(cli: CommandLine): Promise<string> {
  // The service's git reads the repositories that a guide creates there.
  await chmod(cli.folder, 0o755)
  await mkdir(join(cli.folder, 'programs'))
  const program = join(cli.folder, 'programs/sluice')
  const built = await runProgram(process.execPath, [build, `${program}.cjs`], { env: cli.env })
  assert.equal(built.status, 0, built.stderr)
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${program}.cjs' "$@"\n`, { mode: 0o755 })
  return `${join(cli.folder, 'programs')}:${process.env['PATH']}`
}

/**
 * Runs the commands of a guide in one shell, one after the other, and compares the output of each with the guide.
 *
 * @param env must have `PATH` and `SLUICE`, the address of the service
 */
export async function followGuide(
  cli: CommandLine,
  guide: string,
  env: Readonly<Record<string, string>>,
  fewest = 10,
): Promise<void> {
  const steps = stepsOf(await readFile(guide, 'utf8'))
  assert.ok(steps.length >= fewest)
  const script = steps.map(({ command }) => `${command}\nprintf '${mark}%d\n' "$?"`).join('\n')
  // The guide's time limit is shorter than the test's, so that the failure names the command that did not end.
  const { stdout, stderr } = await runProgram('timeout', ['1000', 'bash', '-uc', script], {
    cwd: cli.folder,
    env: { ...cli.env, ...env },
    input: `${passwordOf('admin')}\n`,
  })
  const shown = [...stdout.matchAll(new RegExp(`([^${mark}]*)${mark}(\\d+)\n`, 'g'))]
  for (const [i, { command, output }] of steps.entries()) {
    const [, text = '', status] = shown[i] ?? []
    assert.equal(status, '0', `$ ${command}\n${text}\nStandard error:\n${stderr}`)
    assert.match(text, patternOf(output), `$ ${command}`)
  }
}

const build = join(import.meta.dirname, '../../cli/build.mjs')
const mark = '\x1e'

/** Commands are lines after `$ ` in blocks of the language console; other lines are the output of the previous command. */
function stepsOf(guide: string): Step[] {
  const steps: { command: string; output: string }[] = []
  for (const [, block = ''] of guide.matchAll(/^```console\n(.*?)^```$/gms)) {
    let document: string | undefined
    for (const line of block.trimEnd().split('\n')) {
      const last = steps.at(-1)
      if (document !== undefined) {
        last!.command += `\n${line}`
        if (line === document) document = undefined
      } else if (line.startsWith('$ ')) {
        steps.push({ command: line.slice(2), output: '' })
        document = /<<'?(\w+)/.exec(line)?.[1]
      } else last!.output += `${line}\n`
    }
  }
  return steps
}

/**
 * `…` alone on a line matches any number of lines, and within a line any text. The gap between the columns of a table can
 * be wider than in the guide, because other records of the table can be longer.
 */
const patternOf = (output: string): RegExp =>
  new RegExp(
    `^${output
      .split('\n')
      .slice(0, -1)
      .map(line => (line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literal).join('.*')}\\n`))
      .join('')}$`,
  )

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/ {2,}/g, ' {2,}')
