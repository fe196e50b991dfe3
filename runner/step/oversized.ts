import { readFileSync } from 'node:fs'

/** Linux's limit for a single string of a program's arguments or environment, with the NUL at its end. */
const mostOfOne = 131_072
/** Linux's limit for all strings together, apart from a quarter of the stack, which may be less. */
const mostOfAll = 6 * 1024 * 1024
const usualStack = 8 * 1024 * 1024

/**
 * Describes what of a program's arguments and environment is too long to be passed to it; undefined if all of it fits.
 * The kernel itself says no more than "Argument list too long". Values are not quoted: they may be secret.
 *
 * @param most bytes of all together
 */
export function oversized(argv: readonly string[], env: Readonly<Record<string, string>>, most = ofAll()) {
  const values = Object.entries(env).map(([name, value]) => ({
    name,
    bytes: Buffer.byteLength(`${name}=${value}`) + 1,
  }))
  const long = values.filter(({ bytes }) => bytes > mostOfOne)
  if (long.length > 0)
    return `${listed(long)} in the environment: a program takes at most 128 KiB (131071 bytes) of one, with its name. ${elsewhere}`
  const argument = argv.findIndex(each => Buffer.byteLength(each) + 1 > mostOfOne)
  if (argument >= 0)
    return `argument ${argument} of the command has ${Buffer.byteLength(argv[argument]!)} bytes: a program takes at most 128 KiB (131071 bytes) of one. ${elsewhere}`
  const each = [...values.map(({ bytes }) => bytes), ...argv.map(text => Buffer.byteLength(text) + 1)]
  const all = each.reduce((sum, bytes) => sum + bytes + pointer, 0)
  if (all <= most) return undefined
  const largest = values.toSorted((one, other) => other.bytes - one.bytes).slice(0, 3)
  return `the environment has ${all} bytes in all, and a program takes at most ${most}. The largest values: ${listed(largest)}. ${elsewhere}`
}

const pointer = 8
const elsewhere = 'Hand over what is long as a file of the step, or read it from the context (SLUICE_STEP_CONTEXT).'

const listed = (values: readonly { name: string; bytes: number }[]) =>
  values.map(({ name, bytes }) => `${name} has ${bytes - name.length - 2} bytes`).join(', ')

let known: number | undefined

/** Limit for all strings together, from this process's stack limit, which the programs that it starts inherit. */
function ofAll(): number {
  known ??= Math.min(mostOfAll, Math.floor(stackOf() / 4))
  return known
}

function stackOf(): number {
  try {
    const soft = /^Max stack size\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === 'unlimited' ? mostOfAll * 4 : Number(soft) || usualStack
  } catch {
    return usualStack
  }
}
