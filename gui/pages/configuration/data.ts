import type { Problem } from '../../components/editor/problems.ts'

/** Document of properties or settings. */
export type Data = Readonly<Record<string, unknown>>

/** Result of reading a text: its document, or the problems with their places. */
export type ReadDocument = { readonly data: Data } | { readonly problems: readonly Problem[] }
