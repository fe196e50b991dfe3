import { defaultKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { general } from '../../messages/general.ts'
import type { Language } from './place.ts'
import { theme } from './theme.ts'

interface ReadingOptions {
  readonly label: string
  readonly language: Language
  readonly readOnly: boolean
}

/**
 * Replacement of a selection by the letter that is typed over it. Chromium would keep the look of the replaced text in a
 * `style` attribute, which the Content-Security-Policy refuses.
 */
const typingOverSelection = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { state } = view
    if (inputType !== 'insertText' || data === null || state.readOnly || state.selection.main.empty) return false
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

/** Extensions that editors and both sides of a diff have in common: language, line numbers, search, keys, look. */
export const readingExtensions = ({ label, language, readOnly }: ReadingOptions): Extension => [
  language === 'yaml' ? yaml() : json(),
  lineNumbers(),
  search({ top: true }),
  keymap.of([...searchKeymap, ...defaultKeymap]),
  EditorState.tabSize.of(2),
  EditorState.readOnly.of(readOnly),
  EditorView.lineWrapping,
  typingOverSelection,
  EditorView.contentAttributes.of({
    'aria-label': readOnly ? label : general.editorLabel(label),
    ...(readOnly && { 'aria-readonly': 'true' }),
  }),
  theme,
]
