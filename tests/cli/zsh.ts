import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { debianProgram } from '../support/debian-packages.ts'

const run = promisify(execFile)

/** A zsh with a terminal of its own: typed keys wait for its prompt, and the last key writes the line to a file. */
const driver = `
zmodload zsh/zpty
zpty shell "PS1=READY ZDOTDIR=$PWD $1 -f -i"
zpty -r shell seen '*READY*'
zpty -w shell "source ./start; PS1='R''EADY'"
zpty -r shell seen '*READY*'
zpty -n -w shell "$2"$'\\t\\C-t'
zpty -r shell seen '*DONE*'
`

/**
 * The command line of a zsh after this text and a tab.
 *
 * @param start commands for its start
 */
export async function completedByZsh(typed: string, start: string, env: NodeJS.ProcessEnv): Promise<string> {
  const zsh = await debianProgram({ path: '/usr/bin/zsh', packages: ['zsh'] })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-zsh-'))
  try {
    const line = join(folder, 'line')
    const startFile = `autoload -Uz compinit; compinit -u -D
${start}
finish() { print -rn -- "$BUFFER" > '${line}'; print DO''NE; zle send-break }
zle -N finish; bindkey '^T' finish`
    await writeFile(join(folder, 'start'), startFile)
    await writeFile(join(folder, 'driver'), driver)
    await run(zsh, ['-f', 'driver', zsh, typed], { cwd: folder, env: { ...env, TERM: 'xterm' } })
    return await readFile(line, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
