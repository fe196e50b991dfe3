import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Look of editors. Custom properties pierce the shadow root, so the tokens of the page apply, also when the theme changes. */

const frame = EditorView.theme({
  '&': { height: '100%', maxHeight: 'inherit', color: 'var(--text)', fontSize: 'var(--small)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { padding: 'var(--s2) 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 var(--s3) 0 var(--s2)' },
  '.cm-gutters': { background: 'var(--panel)', color: 'var(--text-soft)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0 var(--s1) 0 var(--s2)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '.cm-content ::selection': { background: 'var(--chosen)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--chosen)', outline: '1px solid var(--line-strong)' },
  '.cm-foldMarker': {
    display: 'inline-block',
    inlineSize: '6px',
    blockSize: '6px',
    margin: '0 3px 3px 2px',
    borderInlineEnd: '1.5px solid',
    borderBlockEnd: '1.5px solid',
    transform: 'rotate(45deg)',
  },
  '.cm-foldMarker.cm-isFolded': { marginBlockEnd: '1px', transform: 'rotate(-45deg)' },
  '.cm-foldPlaceholder': { background: 'var(--sunken)', border: '1px solid var(--line)', color: 'var(--text-soft)' },
  '.cm-searchMatch': { background: 'var(--waiting_for_approval-ground)', outline: '1px solid var(--line-strong)' },
  '.cm-searchMatch.cm-searchMatch-selected': { background: 'var(--chosen)', outline: '2px solid var(--focus)' },
})

const panels = EditorView.theme({
  '.cm-panels': { background: 'var(--raised)', color: 'var(--text)', fontFamily: 'var(--sans)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: 'var(--s2) var(--s6) var(--s2) var(--s2)', fontSize: 'var(--small)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--small)' },
  '.cm-textfield': {
    minHeight: '28px',
    padding: '0 var(--s2)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    background: 'var(--panel)',
    color: 'var(--text)',
    fontSize: 'var(--small)',
  },
  '.cm-button': {
    minHeight: '28px',
    padding: '0 var(--s2)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    background: 'var(--raised)',
    color: 'var(--text)',
    font: '550 var(--small) var(--sans)',
  },
  '.cm-panel.cm-search [name=close]': {
    top: 'var(--s2)',
    right: 'var(--s2)',
    minWidth: '24px',
    minHeight: '24px',
    color: 'inherit',
  },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, [name=close]:focus-visible': {
    outline: '2px solid var(--focus)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-small)',
    background: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: 'var(--small)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: 'var(--s1) var(--s2)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-ground)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { fontFamily: 'var(--sans)', fontStyle: 'normal', opacity: '0.85' },
  '.cm-completionInfo': { maxWidth: '320px', padding: 'var(--s2) var(--s3)', fontFamily: 'var(--sans)' },
})

const problems = EditorView.theme({
  '.cm-lintRange': { textUnderlineOffset: '3px', backgroundImage: 'none' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--error)', backgroundImage: 'none' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--waiting_for_approval)', backgroundImage: 'none' },
  '.cm-diagnostic': { padding: 'var(--s2) var(--s3)', fontFamily: 'var(--sans)', fontSize: 'var(--small)' },
  '.cm-diagnostic-error': { borderInlineStart: '4px solid var(--error-bar)' },
  '.cm-diagnostic-warning': { borderInlineStart: '4px solid var(--waiting_for_approval-bar)' },
  // The library's markers are pictures with colours of their own.
  '.cm-lint-marker': { content: 'none', width: '10px', height: '10px', marginTop: '4px', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: 'none', background: 'var(--error-bar)' },
  '.cm-lint-marker-warning': { content: 'none', background: 'var(--waiting_for_approval-bar)', borderRadius: '2px' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { background: 'var(--chosen)', color: 'var(--text)' },
})

const comparison = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { background: 'var(--error-ground)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { background: 'var(--success-ground)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, .cm-deletedText': {
    background: 'color-mix(in srgb, var(--error-bar) 30%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--success-bar) 30%, transparent)' },
  // The colours of the syntax have too little contrast on these grounds.
  '.cm-changedText, .cm-changedText *, .cm-deletedText, .cm-deletedText *': { color: 'var(--text)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--error-bar)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--success-bar)' },
  '.cm-deletedChunk': { paddingInlineStart: 'var(--s2)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
  '.cm-collapsedLines': {
    padding: 'var(--s1) var(--s3)',
    background: 'var(--sunken)',
    color: 'var(--text-soft)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--small)',
  },
})

const syntax = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--success)' },
  { tag: [tags.number], color: 'var(--waiting)' },
  { tag: [tags.bool, tags.null, tags.keyword, tags.atom], color: 'var(--aborted)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-soft)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.labelName], color: 'var(--rejected)' },
  { tag: tags.invalid, color: 'var(--error)' },
])

export const theme: Extension = [frame, panels, problems, comparison, syntaxHighlighting(syntax)]
