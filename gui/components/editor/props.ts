import type { CompletionSource } from './completion.ts'
import type { Language } from './place.ts'
import type { Problem } from './problems.ts'

/** Properties of the text editor. */
export interface EditorProps {
  /** Name of the editor for screen readers. */
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly language: Language
  readonly readOnly?: boolean
  /** Errors and warnings, marked at their place. */
  readonly problems?: readonly Problem[]
  /** Offers of the completion: from a JSON Schema, or a list of words. */
  readonly completion?: CompletionSource
  /** Place to scroll to and put the cursor at; each new object moves there again. */
  readonly reveal?: { readonly line: number; readonly column?: number | undefined } | undefined
  /** Called on Ctrl S (⌘ S). */
  readonly onSave?: () => void
  /** Called on Ctrl Enter (⌘ Enter). */
  readonly onSubmit?: () => void
  /** `fill` takes the height of its container and scrolls; `content` grows with its text. */
  readonly size?: 'fill' | 'content'
}
