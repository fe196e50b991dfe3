/** Maximum time in milliseconds of Node's own timers, 24.8 days: a longer one fires at once. */
const longest = 2_147_483_647

/**
 * Acts once so much time has passed, be it a year.
 *
 * @returns what ends the waiting
 */
export function actAfter(milliseconds: number, act: () => void): () => void {
  const at = performance.now() + milliseconds
  let timer: NodeJS.Timeout
  const wait = () => {
    const left = at - performance.now()
    timer = left > longest ? setTimeout(wait, longest) : setTimeout(act, left)
  }
  wait()
  return () => clearTimeout(timer)
}
