import { type Packed, unpacked } from '#platform/crypto/packed.ts'
import { type LayerText, mergeTexts } from './merge-texts.ts'

/**
 * An answer to be written: its text in pieces, every second one the name of what belongs between the others, which is
 * large: `data` and `sources` of the converged document, or the place of a layer whose text is to stand there.
 */
export interface Unwritten {
  readonly pieces: readonly string[]
  readonly layers: readonly { readonly source: string; readonly text: Packed }[]
}

/**
 * The answer's bytes, in memory of their own: a thread gives it away. Layers are merged as they lie there, a character
 * for each byte: what has a meaning in JSON is ASCII, and all else is only copied, so that nothing is decoded and encoded.
 */
export function written({ pieces, layers }: Unwritten): Uint8Array<ArrayBuffer> {
  const own = layers.map(({ text }) => unpacked(text))
  const isAsked = (name: string) => pieces.some((piece, index) => index % 2 === 1 && piece === name)
  const asTexts = (): LayerText[] =>
    layers.map(({ source }, index) => ({ source: inBytes(source), text: own[index]!.toString('latin1') }))
  const merged: Partial<Record<string, string>> = isAsked('data') || isAsked('sources') ? mergeTexts(asTexts()) : {}
  const parts = pieces.map((piece, index) =>
    index % 2 === 0 ? inBytes(piece) : (merged[piece] ?? own[Number(piece)]!),
  )
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) at += typeof part === 'string' ? bytes.write(part, at, 'latin1') : part.copy(bytes, at)
  return bytes
}

const inBytes = (text: string): string => Buffer.from(text).toString('latin1')

/** What stands in a document for a piece to come: as no text of ours can hold U+0000, nothing else reads like it. */
export const placeOf = (name: string | number): string => `\0${name}`

/** The pieces of a document in which places stand. */
export const piecesOf = (document: object): string[] => JSON.stringify(document).split(/"\\u0000(\w+)"/)
