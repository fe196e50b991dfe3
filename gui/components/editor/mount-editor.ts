import { autocompletion, completionKeymap, startCompletion } from '@codemirror/autocomplete'
import { history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { openSearchPanel } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import {
  type Command,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  type KeyBinding,
  keymap,
} from '@codemirror/view'
import { type Act, keys } from '../../keyboard/keys.ts'
import { general } from '../../messages/general.ts'
import { readingExtensions } from './code-mirror.ts'
import { type CompletionSource, complete } from './completion.ts'
import type { Language } from './place.ts'
import { diagnosticsOf, type Problem } from './problems.ts'

interface EditorOptions {
  readonly label: string
  readonly language: Language
  readonly readOnly: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onSave: () => void
  readonly onSubmit: () => void
}

export interface MountedEditor {
  /** Replaces the text unless it is the same; the change can be undone. */
  setValue(value: string): void
  setProblems(problems: readonly Problem[]): void
  setCompletion(source: CompletionSource | undefined): void
  /** Moves the cursor to a place and the focus to the editor. Lines and columns begin at 1. */
  reveal(line: number, column?: number): void
  destroy(): void
}

/**
 * Creates an editor in the shadow root of an element. Inside a shadow root CodeMirror adopts constructable style sheets,
 * which the Content-Security-Policy allows; in the document it would insert style elements, which are refused.
 */
export function mountEditor(host: HTMLElement, options: EditorOptions): MountedEditor {
  const { label, language, readOnly, value, onChange, onSave, onSubmit } = options
  const completion = new Compartment()
  let isReplacing = false
  const changing = [
    history(),
    indentOnInput(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    completion.of([]),
    keymap.of([...completionKeymap, ...historyKeymap, indentWithTab]),
  ]
  const root = shadowRootOf(host)
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      extensions: [
        keymap.of([
          ...boundTo('save', handled(onSave)),
          ...boundTo('submit', handled(onSubmit)),
          ...boundTo('find', openSearchPanel),
          ...(readOnly ? [] : boundTo('complete', startCompletion)),
        ]),
        readingExtensions({ label, language, readOnly }),
        indentUnit.of('  '),
        bracketMatching(),
        foldGutter({ markerDOM: foldMarker }),
        // Only texts that are edited are checked.
        readOnly ? [] : lintGutter(),
        keymap.of([...foldKeymap, ...lintKeymap]),
        readOnly ? [] : changing,
        EditorView.updateListener.of(update => {
          if (update.docChanged && !isReplacing) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })

  return {
    setValue: text => {
      if (view.state.doc.toString() === text) return
      isReplacing = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
      isReplacing = false
    },
    setProblems: problems => {
      if (view.state.doc.length === 0 && problems.length === 0) return
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(problems, view.state.doc)))
    },
    setCompletion: source => {
      if (readOnly) return
      const offers =
        source && autocompletion({ icons: false, override: [context => complete(source, language, context)] })
      view.dispatch({ effects: completion.reconfigure(offers ?? []) })
    },
    reveal: (number, column = 1) => {
      const line = view.state.doc.line(Math.min(view.state.doc.lines, Math.max(1, number)))
      const anchor = Math.min(line.to, line.from + Math.max(0, column - 1))
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

/** Marker beside a line that can be folded. It is drawn, since a glyph would come from any font of the machine. */
function foldMarker(isOpen: boolean): HTMLElement {
  const marker = document.createElement('span')
  marker.className = isOpen ? 'cm-foldMarker' : 'cm-foldMarker cm-isFolded'
  marker.title = isOpen ? general.foldLines : general.unfoldLines
  return marker
}

/** Bindings of the keys that do something in editors, as CodeMirror writes them: `Mod-s`. */
const boundTo = (act: Act<'editor'>, run: Command): KeyBinding[] =>
  keys.editor[act].map(key => ({ key: key.replaceAll('+', '-'), preventDefault: true, run }))

const handled = (act: () => void) => (): boolean => {
  act()
  return true
}

/** Shadow root of a host, which keeps it when its editor is replaced. */
export function shadowRootOf(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // Escape belongs to the editor, where it releases Tab or closes a panel; a dialog around it must not take it.
  host.onkeydown = event => {
    if (event.key === 'Escape') event.stopPropagation()
  }
  return root
}
