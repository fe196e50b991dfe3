import { type Packed, unpacked } from '#platform/crypto/packed.ts'
import { parseText, textOf } from '#platform/documents/document.ts'
import { type Layer, mergeLayers, mergeSources } from './merge.ts'

/**
 * A response to write: its text in pieces, every second one the name of a large part that belongs between the others:
 * `data` and `sources` of the converged document, or the placeholder of a layer's text.
 */
export interface Unwritten {
  readonly pieces: readonly string[]
  readonly layers: readonly { readonly source: string; readonly text: Packed }[]
}

/** The response's bytes, in memory of their own, which a thread transfers. */
export function written({ pieces, layers }: Unwritten): Uint8Array<ArrayBuffer> {
  const own = layers.map(({ source, text }) => ({ source, text: unpacked(text).toString() }))
  let parsed: Layer[] | undefined
  const documents = () => (parsed ??= own.map(({ source, text }) => ({ source, data: parseText(text) })))
  const textAt = (name: string) => {
    if (name === 'data') return textOf(mergeLayers(documents()))
    return name === 'sources' ? textOf(mergeSources(documents())) : own[Number(name)]!.text
  }
  return new TextEncoder().encode(pieces.map((piece, index) => (index % 2 === 0 ? piece : textAt(piece))).join(''))
}

/** Placeholder in a document for a later piece: our texts cannot contain U+0000, so it is unique. */
export const placeOf = (name: string | number): string => `\0${name}`

/** Pieces of a document between its placeholders. */
export const piecesOf = (document: object): string[] => JSON.stringify(document).split(/"\\u0000(\w+)"/)
