import type { Fault } from './failure.ts'

/** What of a text PostgreSQL does not hold, as text or as JSON; undefined where it holds all of it. */
export function textFault(text: string): Pick<Fault, 'code' | 'detail'> | undefined {
  if (text.includes('\0')) return { code: 'nul-character', detail: 'U+0000 has no place in a text.' }
  if (text.isWellFormed()) return undefined
  return { code: 'malformed-json', detail: 'Half of a surrogate pair is no character.' }
}

/** What a program or another server said, who cannot be asked for better: with signs in the place of what is not held. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\u2400')
