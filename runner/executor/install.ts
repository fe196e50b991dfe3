import type { Program } from '../bodies/supervised-program.ts'
import type { Stream } from '../step/step-log.ts'

/** Arguments of npm: installs exactly the lock file, and runs no install scripts. */
const ci = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--no-progress']

/** @param npm the file of its program, npm-cli.js */
export const installing = (
  { node, npm, copy }: { node: string; npm: string; copy: string },
  env: Record<string, string>,
): Program => {
  // npm is not part of the action: code from a registry gets no token of the step.
  const { SLUICE_API_TOKEN: _, ...rest } = env
  return { argv: [node, npm, ...ci], cwd: copy, env: rest }
}

export const noNpm =
  'The repository has a lock file of npm, and there is no npm on this host which could install what it names.'

const mostKept = 65_536

/** Collects the error output of npm while it runs. */
export class Complaints {
  #text = ''

  hear(stream: Stream, bytes: Buffer): void {
    if (stream === 'stderr' && this.#text.length < mostKept) this.#text += bytes.toString('utf8')
  }

  /**
   * Text for the step's error message.
   *
   * @param shown masks secrets in a text; done before it is cut, because a secret that is cut in two could not be
   *   recognized
   */
  words(how: string, shown: (text: string) => string): string {
    const lines = this.#text
      .split('\n')
      .flatMap(line => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1]?.trim() ?? [])
      .filter(line => line !== '' && !line.startsWith('A complete log of this run'))
    const told = lines.slice(0, 8).map(shown).join(' ').slice(0, 1_000)
    return `npm ci failed (${how})${told === '' ? '' : `: ${told}`}`
  }
}

/**
 * Runs the installation in the first step of a runner that needs it, while the others wait. After a failure the next
 * step retries.
 */
export class Installation {
  #underWay: Promise<string | undefined> | undefined

  /**
   * @param others waits for another step's installation
   * @returns why the dependencies are missing
   */
  async have(
    isWanted: () => boolean,
    others: (underWay: Promise<unknown>) => Promise<unknown>,
    install: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    while (isWanted()) {
      if (this.#underWay !== undefined) {
        await others(this.#underWay)
        continue
      }
      this.#underWay = install().finally(() => {
        this.#underWay = undefined
      })
      return this.#underWay
    }
    return undefined
  }
}
