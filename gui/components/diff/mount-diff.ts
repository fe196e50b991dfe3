import { history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import type { Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { general } from '../../messages/general.ts'
import { readingExtensions } from '../editor/code-mirror.ts'
import { shadowRootOf } from '../editor/mount-editor.ts'
import type { Language } from '../editor/place.ts'

interface DiffOptions {
  readonly before: string
  readonly after: string
  readonly beforeLabel: string
  readonly afterLabel: string
  readonly language: Language
  readonly isSplit: boolean
  readonly onChange: ((after: string) => void) | undefined
}

/** Bounds of the comparison: beyond them whole lines are compared, so that documents of megabytes do not freeze the page. */
const diffConfig = { scanLimit: 500, timeout: 200 }
const collapseUnchanged = { margin: 3, minSize: 6 }

/** Look of the buttons between the two texts, which are outside of the editors and their theme. */
const sheet = new CSSStyleSheet()
sheet.replaceSync(`
  .cm-merge-revert { inline-size: 32px; }
  .cm-merge-revert button, .cm-deletedChunk .cm-chunkButtons button {
    min-block-size: 24px; border: 1px solid var(--line); border-radius: var(--radius-small);
    background: var(--raised); color: var(--text); font: 550 var(--small) var(--sans); cursor: pointer;
  }
  .cm-deletedChunk .cm-chunkButtons button { padding-inline: var(--s2); }
  .cm-merge-revert button { inline-size: 24px; margin: 0; padding: 0; inset-inline: 4px auto; }
  .cm-merge-revert button:focus-visible, .cm-chunkButtons button:focus-visible { outline: 2px solid var(--focus); }
`)

/** Creates the comparison of two texts in the shadow root of an element; returns how to remove it. */
export function mountDiff(host: HTMLElement, options: DiffOptions): () => void {
  const root = shadowRootOf(host)
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet)
  const view = options.isSplit ? splitView(root, options) : unifiedView(root, options)
  return () => view.destroy()
}

function splitView(root: ShadowRoot, options: DiffOptions): MergeView {
  const { before, after, beforeLabel, language, onChange } = options
  const given = readingExtensions({ label: beforeLabel, language, readOnly: true })
  return new MergeView({
    a: { doc: before, extensions: given },
    b: { doc: after, extensions: secondText(options) },
    parent: root,
    root,
    gutter: true,
    collapseUnchanged,
    diffConfig,
    ...(onChange && { revertControls: 'a-to-b', renderRevertControl: revertButton }),
  })
}

function unifiedView(root: ShadowRoot, options: DiffOptions): EditorView {
  const { before, after, onChange } = options
  return new EditorView({
    doc: after,
    parent: root,
    root,
    extensions: [
      secondText(options),
      unifiedMergeView({
        original: before,
        gutter: true,
        collapseUnchanged,
        diffConfig,
        mergeControls: onChange ? (type, action) => (type === 'reject' ? rejectButton(action) : empty()) : false,
      }),
    ],
  })
}

const secondText = ({ afterLabel, language, onChange }: DiffOptions): Extension => [
  readingExtensions({ label: afterLabel, language, readOnly: onChange === undefined }),
  onChange
    ? [
        history(),
        keymap.of([...historyKeymap, indentWithTab]),
        EditorView.updateListener.of(update => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ]
    : [],
]

function revertButton(): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '→'
  button.title = general.takeThisPart
  button.setAttribute('aria-label', general.takeThisPart)
  // The library listens to the mouse alone; a click without a mouse comes from the keyboard.
  button.onclick = event => {
    if (event.detail === 0) button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
  }
  return button
}

function rejectButton(action: (event: MouseEvent) => void): HTMLElement {
  const button = revertButton()
  button.textContent = general.takeThisPart
  button.onmousedown = action
  return button
}

/** Place of the library's button to accept a part, which is accepted already. */
const empty = (): HTMLElement => document.createElement('span')
