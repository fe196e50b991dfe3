/**
 * Keys of the application, by the place where they act and what they do there. Handlers look up what a key does here, and
 * the dialog with all keys lists this table; the words for both are in `messages/keyboard.ts`.
 *
 * Three are handled by others and listed all the same: Enter on the link of a row by the browser, Escape by menus and dialogs,
 * and Escape Tab by the editor.
 *
 * A key is written as `event.key`, letters in lower case: `Mod+k` is Ctrl K, on a Mac ⌘ K; `g d` is `g` and then `d`.
 */
export const keys = {
  everywhere: { search: ['Mod+k', '/'], keys: ['?'], close: ['Escape'] },
  node: { run: ['r'], previous: ['['], next: [']'], tab: digits('') },
  approvals: { next: ['j'], previous: ['k'], approve: ['a'], reject: ['d'] },
  log: {
    follow: ['f', 'End'],
    next: ['n'],
    previous: ['p'],
    error: ['e'],
    search: ['Mod+f'],
    line: digits('g '),
  },
  find: { next: ['Enter'], previous: ['Shift+Enter'] },
  sections: {
    next: ['ArrowDown'],
    previous: ['ArrowUp'],
    first: ['Home'],
    last: ['End'],
    open: ['ArrowRight'],
    close: ['ArrowLeft'],
  },
  projects: { star: ['*'] },
  trees: {
    next: ['ArrowDown', 'j'],
    previous: ['ArrowUp', 'k'],
    open: ['Enter', ' '],
    expand: ['ArrowRight'],
    collapse: ['ArrowLeft'],
    pageDown: ['PageDown'],
    pageUp: ['PageUp'],
    first: ['Home'],
    last: ['End'],
  },
  lists: {
    next: ['j', 'ArrowDown'],
    previous: ['k', 'ArrowUp'],
    open: ['Enter'],
    select: ['x'],
    selectRange: ['Shift+x'],
    selectNone: ['Escape'],
  },
  editor: {
    save: ['Mod+s'],
    submit: ['Mod+Enter'],
    complete: ['Ctrl+Space'],
    find: ['Mod+f'],
    leave: ['Escape Tab'],
  },
  forms: { submit: ['Mod+Enter'] },
  panes: { narrower: ['ArrowLeft'], wider: ['ArrowRight'], narrowest: ['Home'], widest: ['End'] },
  columns: { up: ['Alt+ArrowUp'], down: ['Alt+ArrowDown'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Where keys act. */
export type Place = keyof typeof keys

/** What keys do at a place. */
export type Act<At extends Place> = Extract<keyof (typeof keys)[At], string>

/** One key for each number of a tab or a line: `1` to `9`. */
function digits<Before extends string>(before: Before): `${Before}${number}`[] {
  return Array.from({ length: 9 }, (_, i) => `${before}${i + 1}` as const)
}

/** A key press as the table writes it. Shift counts for letters and named keys; `?` and `*` are what they are. */
export function pressedKey(event: KeyPress): string {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  const isLetter = /^\p{L}$/u.test(key)
  const name = isLetter ? key.toLowerCase() : key
  const hasShift = shiftKey && (isLetter || key.length > 1)
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${hasShift ? 'Shift+' : ''}${name}`
}

export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What a key does at a place; undefined if nothing. */
export function actOf<At extends Place>(place: At, pressed: string): Act<At> | undefined {
  const acts = Object.entries(keys[place]) as [Act<At>, readonly string[]][]
  return acts.find(([, each]) => each.includes(pressed))?.[0]
}
