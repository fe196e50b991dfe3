import type { Act, Place } from '../keyboard/keys.ts'

type Words = {
  readonly [At in Place]: { readonly title: string; readonly acts: { readonly [Name in Act<At>]: string } }
}

/** What keys do, in the order of the table of keys. */
const places: Words = {
  everywhere: {
    title: 'Everywhere',
    acts: { search: 'Search or jump to a page', keys: 'Show all keys', close: 'Close a dialog or a menu' },
  },
  node: {
    title: 'Page of a node',
    acts: {
      run: 'Run an action',
      previous: 'Node before it under the same parent',
      next: 'Node after it under the same parent',
      tab: 'Open the first to ninth tab',
    },
  },
  approvals: {
    title: 'Approvals',
    acts: {
      next: 'Next step',
      previous: 'Previous step',
      approve: 'Approve or continue the step that has the focus',
      reject: 'Reject it',
    },
  },
  projects: { title: 'Tree of projects', acts: { star: 'Star the node, or remove its star' } },
  trees: {
    title: 'Trees of steps and nodes',
    acts: {
      next: 'Next row',
      previous: 'Previous row',
      open: 'Open the row',
      expand: 'Expand the row, then go into it',
      collapse: 'Collapse the row, then go to its parent',
      pageDown: 'One page down',
      pageUp: 'One page up',
      first: 'First row',
      last: 'Last row',
    },
  },
  lists: {
    title: 'Lists',
    acts: {
      next: 'Next row',
      previous: 'Previous row',
      open: 'Open the row',
      select: 'Select the row, where several can be selected',
      selectRange: 'Select all rows from the last selected one',
      selectNone: 'Clear the selection',
    },
  },
  log: {
    title: 'Log',
    acts: {
      follow: 'Follow the end',
      next: 'Next match',
      previous: 'Previous match',
      error: 'Next error',
      search: 'Search in all lines; once more for the search of the browser',
      line: 'Go to a line by its number',
    },
  },
  find: {
    title: 'Search field of the log',
    acts: { next: 'Search, then next match', previous: 'Previous match' },
  },
  sections: {
    title: 'Headings of steps in the log',
    acts: {
      next: 'Next step',
      previous: 'Previous step',
      first: 'First step',
      last: 'Last step',
      open: 'Show its lines',
      close: 'Hide its lines',
    },
  },
  editor: {
    title: 'Editor',
    acts: {
      save: 'Save, or review the changes',
      submit: 'Check the text, or review the changes',
      complete: 'Suggest keys and values',
      find: 'Search in the text',
      leave: 'Leave the editor',
    },
  },
  forms: { title: 'Forms in dialogs', acts: { submit: 'Submit, also from a field of several lines' } },
  panes: {
    title: 'Line between two panes',
    acts: { narrower: 'Narrower', wider: 'Wider', narrowest: 'Narrowest', widest: 'Widest' },
  },
  columns: { title: 'Columns of a list', acts: { up: 'Move the column up', down: 'Move the column down' } },
}

export const keyboard = {
  title: 'Keyboard shortcuts',
  detail: 'The keys of this page are listed first.',
  lettersOff: 'Keys without Ctrl that act on the whole page are switched off in your profile.',
  pages: 'Go to a page',
  thisPage: 'on this page',
  places,
  /** Names of keys where they differ from `event.key`. */
  names: {
    Mod: 'Ctrl',
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
    PageUp: 'Page Up',
    PageDown: 'Page Down',
    Escape: 'Esc',
    ' ': 'Space',
  } as Readonly<Record<string, string>>,
  command: '⌘',
  or: 'or',
  followedBy: 'then',
  to: 'to',
} as const
