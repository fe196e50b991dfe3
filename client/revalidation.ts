import { fromJson } from '../json/from-json.ts'

interface Known {
  readonly etag: string
  readonly document: unknown
  /** Length of its text. */
  readonly size: number
}

/** Limits of the documents that are kept: their number, and the characters of their texts together. */
const limits = { documents: 100, characters: 16_000_000 }

/**
 * Documents by the path and query that they were read from, with their ETags: one that did not change is neither sent
 * nor parsed again. The least recently used ones are dropped. Documents are shared between readers, which must not
 * change them.
 */
export class KnownDocuments {
  readonly #known = new Map<string, Known>()
  #characters = 0

  /** Reads the document of a target, if it is unknown or has changed. */
  async read(target: string, ask: (headers: Record<string, string>) => Promise<Answer>): Promise<unknown> {
    const known = this.#known.get(target)
    const { status, headers, text } = await ask(known ? { 'if-none-match': known.etag } : {})
    if (status === 304 && known) {
      this.#keep(target, known)
      return known.document
    }
    const document = text === '' ? undefined : fromJson(text)
    const etag = headers.get('etag')
    if (etag !== null) this.#keep(target, { etag, document, size: text.length })
    return document
  }

  #keep(target: string, known: Known): void {
    this.#drop(target)
    if (known.size > limits.characters) return
    this.#known.set(target, known)
    this.#characters += known.size
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= limits.documents && this.#characters <= limits.characters) return
      this.#drop(oldest)
    }
  }

  #drop(target: string): void {
    this.#characters -= this.#known.get(target)?.size ?? 0
    this.#known.delete(target)
  }
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}
