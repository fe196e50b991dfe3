import { type FileFault, placeIn } from './file-fault.ts'

/**
 * The text of a file that people write, or the reason why it is none: an encoding other than UTF-8, or the output that
 * a Git filter stores in place of the file.
 */
export function fileText(file: string, bytes: Uint8Array): { text: string } | { faults: FileFault[] } {
  const wrong = (message: string, place = { line: 1, column: 1 }) => ({ faults: [{ file, ...place, message }] })
  const stored = storedInstead(bytes) ?? otherEncoding(bytes)
  if (stored !== undefined) return wrong(stored)
  const text = decodeUtf8(bytes)
  if (text === undefined) {
    const before = validBefore(bytes)
    return wrong('The file is not UTF-8: save it as UTF-8.', placeIn(before, before.length))
  }
  const nul = text.indexOf('\0')
  return nul < 0 ? { text } : wrong('U+0000 has no place in a text.', placeIn(text, nul))
}

/** The names of Git filters and tools whose output a repository holds in place of a file, each with its first bytes. */
const instead: readonly (readonly [firstBytes: string, message: string])[] = [
  [
    'version https://git-lfs.github.com/spec/',
    'This is a Git LFS pointer, not the file itself: take the file out of LFS (git lfs untrack) and commit it.',
  ],
  ['\0GITCRYPT\0', 'The file is encrypted with git-crypt: commit it unencrypted, and keep secrets as secrets.'],
  ['$ANSIBLE_VAULT;', 'The file is encrypted with Ansible Vault: commit it unencrypted, and keep secrets as secrets.'],
]

export const storedInstead = (bytes: Uint8Array): string | undefined =>
  instead.find(([first]) => Buffer.from(bytes.subarray(0, first.length)).toString('latin1') === first)?.[1]

/**
 * Fault of a text in UTF-16 or UTF-32, recognized by its byte order mark or by the zero bytes of ASCII characters in
 * it.
 */
function otherEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes
  const saveAs = (name: string) => `The file is ${name}: save it as UTF-8.`
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    return saveAs('UTF-32')
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return saveAs('UTF-16')
  const isEvery = (first: number) => {
    const every = bytes.subarray(0, 64).filter((_, at) => at % 2 === first)
    return every.length > 1 && every.every(byte => byte === 0)
  }
  return isEvery(0) || isEvery(1) ? saveAs('UTF-16') : undefined
}

/** Text without a byte order mark; undefined if it is not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Text before the first byte that is not UTF-8. */
function validBefore(bytes: Uint8Array): string {
  let [low, high] = [0, bytes.length]
  // In a stream an unfinished character at the end is no fault yet.
  const isValid = (length: number) => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true })
      return true
    } catch {
      return false
    }
  }
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isValid(middle)) low = middle
    else high = middle - 1
  }
  return new TextDecoder().decode(bytes.subarray(0, low), { stream: true })
}
