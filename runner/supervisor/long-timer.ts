/** Maximum time in milliseconds of Node's own timers, 24.8 days: a longer one fires at once. */
const longest = 2_147_483_647

/**
 * Calls back after any time, even a year.
 *
 * @returns a function that cancels it
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
