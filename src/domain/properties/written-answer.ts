import { type Packed, unpacked } from '#platform/crypto/packed.ts'
import { ByteWriter } from './byte-writer.ts'
import { mergeTexts } from './merge-texts.ts'

/**
 * An answer to be written: its text in pieces, every second one the name of what belongs between the others, which is
 * large: `data` and `sources` of the converged document, or the place of a layer whose text is to stand there.
 */
export interface Unwritten {
  readonly pieces: readonly string[]
  readonly layers: readonly { readonly source: string; readonly text: Packed }[]
}

/** The answer's bytes, in memory of their own: a thread gives it away. */
export function written({ pieces, layers }: Unwritten): Uint8Array<ArrayBuffer> {
  const own = layers.map(({ source, text }) => ({ source, text: unpacked(text) }))
  const isMerged = pieces.some((piece, index) => index % 2 === 1 && (piece === 'data' || piece === 'sources'))
  const merged = isMerged ? mergeTexts(own) : undefined
  // Values, sources and the documents themselves, each about as long as all layers.
  const out = new ByteWriter(3.25 * own.reduce((sum, { text }) => sum + text.length, 4_096))
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) out.copy(Buffer.from(piece))
    else if (piece === 'data') merged!.writeData(out)
    else if (piece === 'sources') merged!.writeSources(out)
    else out.copy(own[Number(piece)]!.text)
  }
  return out.written()
}

/** Placeholder in a document for a piece to come: as no text of ours can contain U+0000, nothing else looks like it. */
export const placeOf = (name: string | number): string => `\0${name}`

/** The pieces of a document in which places stand. */
export const piecesOf = (document: object): string[] => JSON.stringify(document).split(/"\\u0000(\w+)"/)
