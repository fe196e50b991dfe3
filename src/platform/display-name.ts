/**
 * Names are shown on one line, in the order in which they are written: otherwise a list, a log or the audit trail in a
 * terminal or a CSV would show additional lines, or another name. Invisible are line breaks, control characters and
 * marks of direction.
 */
const breaking = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}'

/** Pattern of JSON Schema for a name that has visible characters, and is on one line. */
export const shownNamePattern = `^(?=.*\\S)[^${breaking}]*$`
/** Description of a valid name, to follow "should be". */
export const shownNameForm =
  'a text of 1 to 255 characters, not all of them blank, on one line, without control characters and marks of direction'

const breaks = new RegExp(`[${breaking}]`, 'u')
const allBreaks = new RegExp(`[${breaking}\\s]+`, 'gu')

export const isOneLine = (text: string): boolean => !breaks.test(text)

/**
 * Joins a text into one line, for sources that cannot be asked to correct it: line breaks become blanks; null if
 * nothing is left.
 */
export const asOneLine = (text: string): string | null => text.replace(allBreaks, ' ').trim() || null
