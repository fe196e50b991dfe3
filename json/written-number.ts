/**
 * Reason why a decimal number cannot be carried by JSON with all of its digits, or undefined. Insignificant zeros
 * (`1.50`, `1e3`) do not count as digits.
 */
export function numberFault(written: string): string | undefined {
  const value = Number(written)
  if (!Number.isFinite(value)) return 'The number is too large: write it as a string.'
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'A whole number beyond 2^53 loses digits: write it as a string.'
  if (significant(written) === significant(String(value))) return undefined
  return `The number loses digits, it would become ${value}: write it as a string.`
}

/** Whether a program wrote the number with the 17 digits that tell every double apart (`%.17g`), some of which say nothing. */
export const hasAllDigits = (written: string): boolean =>
  significant(written) === significant(Number(written).toPrecision(17))

/** Digits without the zeros around them, and the power of ten that they are multiplied by. */
function significant(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^[-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(number) ?? []
  const digits = whole + fraction
  let [from, to] = [0, digits.length]
  while (from < to && digits[from] === '0') from += 1
  // A regular expression would start again at each zero of a long row.
  while (to > from && digits[to - 1] === '0') to -= 1
  if (from === to) return '0'
  return `${digits.slice(from, to)}e${Number(exponent) - fraction.length + (digits.length - to)}`
}
