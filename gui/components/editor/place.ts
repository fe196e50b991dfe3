export type Language = 'yaml' | 'json'

/** One offer of the completion. */
export interface Offer {
  readonly label: string
  readonly detail?: string
  readonly info?: string
  /** Kind of the offer, which also chooses its icon. */
  readonly type?: 'property' | 'text' | 'constant'
  /** Text to insert, if it is not the label. */
  readonly apply?: string
}

/** Place of the cursor in a document. */
export interface Place {
  /** Keys and indexes of the containers around the cursor; with the key itself if its value is expected. */
  readonly path: readonly (string | number)[]
  readonly expects: 'key' | 'value' | 'any'
  /** Offset of the word before the cursor. */
  readonly from: number
  /** Keys that the container already has. */
  readonly siblings: readonly string[]
  /** The cursor is inside of quotes. */
  readonly isQuoted: boolean
}
