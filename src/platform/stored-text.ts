import type { Fault } from './failure.ts'

/** Fault of a text that PostgreSQL cannot store, as text or as JSON; undefined if it can. */
export function textFault(text: string): Pick<Fault, 'code' | 'detail'> | undefined {
  if (text.includes('\0')) return { code: 'nul-character', detail: 'U+0000 has no place in a text.' }
  if (text.isWellFormed()) return undefined
  return { code: 'malformed-json', detail: 'Half of a surrogate pair is no character.' }
}

/** Makes the output of a program or another server storable: characters that cannot be stored are substituted. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\u2400')
