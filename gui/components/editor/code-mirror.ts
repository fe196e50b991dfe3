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

/** Extensions that editors and both sides of a diff have in common: language, line numbers, search, keys, look. */
export const readingExtensions = ({ label, language, readOnly }: ReadingOptions): Extension => [
  language === 'yaml' ? yaml() : json(),
  lineNumbers(),
  search({ top: true }),
  keymap.of([...searchKeymap, ...defaultKeymap]),
  EditorState.tabSize.of(2),
  EditorState.readOnly.of(readOnly),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': readOnly ? label : general.editorLabel(label),
    ...(readOnly && { 'aria-readonly': 'true' }),
  }),
  theme,
]
