import type { Language } from '../editor/place.ts'

/** Properties of a comparison. */
export interface DiffProps {
  readonly before: string
  readonly after: string
  /** Names of the two texts, shown above them and read by screen readers. */
  readonly beforeLabel: string
  readonly afterLabel: string
  readonly language: Language
  /** Side by side, or one below the other in one text; narrow windows always show one text. */
  readonly layout?: 'split' | 'unified'
  /** Makes the second text editable; a button at each difference takes the part of the first text. */
  readonly onChange?: (after: string) => void
}
