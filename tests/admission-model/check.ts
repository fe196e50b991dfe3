import fc from 'fast-check'
import { histories } from './history.ts'
import { Stage } from './play.ts'

export interface Outcome {
  readonly seed: number
  readonly sums: Readonly<Stage['sums']>
  readonly seconds: number
  /** The smallest failing history found, what fails, and fast-check's path to it. */
  readonly counterexample?: { readonly history: unknown; readonly wrong: string; readonly path: string | null }
}

/**
 * Plays random histories, and shrinks the first failing one, which takes hundreds more.
 *
 * @param smaller false: it is reported unshrunk
 * @param told receives the progress, and each failure before it is shrunk
 */
export async function checkHistories(
  count: number,
  seed: number,
  {
    path,
    smaller = true,
    told = () => {},
  }: { path?: string | undefined; smaller?: boolean; told?: (wrong: string) => void } = {},
): Promise<Outcome> {
  const began = performance.now()
  const stage = await Stage.open()
  try {
    const property = fc.asyncProperty(histories, async history => {
      const wrong = await stage.play(history)
      if (stage.sums.histories % 50 === 0) told(`${stage.sums.histories} histories so far`)
      if (wrong.length === 0) return
      told(`history ${stage.sums.histories}: ${wrong[0]}`)
      throw new Error(wrong.join('\n'))
    })
    const outcome = await fc.check(property, {
      numRuns: count,
      seed,
      endOnFailure: !smaller,
      ...(path !== undefined && { path }),
    })
    return {
      seed,
      sums: stage.sums,
      seconds: (performance.now() - began) / 1_000,
      ...(outcome.failed && {
        counterexample: {
          history: outcome.counterexample?.[0],
          wrong: String((outcome.errorInstance as Error)?.message ?? outcome.errorInstance),
          path: outcome.counterexamplePath,
        },
      }),
    }
  } finally {
    await stage.close()
  }
}
