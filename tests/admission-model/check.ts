import fc from 'fast-check'
import { histories } from './history.ts'
import { Stage } from './play.ts'

export interface Outcome {
  readonly seed: number
  readonly sums: Readonly<Stage['sums']>
  readonly seconds: number
  /** The smallest history found that goes wrong, what goes wrong, and the path by which fast-check finds it again. */
  readonly counterexample?: { readonly history: unknown; readonly wrong: string; readonly path: string | null }
}

/**
 * Plays so many random histories, and makes the first that goes wrong as small as it can, which takes hundreds more.
 *
 * @param smaller false: it is told as it is
 * @param told hears how far it is, and each time that something was wrong, while that is made smaller
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
