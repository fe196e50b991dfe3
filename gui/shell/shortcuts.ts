import { useEffect, useEffectEvent } from 'react'
import { navigation } from './navigation.ts'

const key = 'sluice.shortcuts'

/** Whether single letters act as shortcuts; people who dictate switch them off. */
export const hasLetterShortcuts = (): boolean => localStorage.getItem(key) !== 'off'
export const setLetterShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(key) : localStorage.setItem(key, 'off')

interface ShellActions {
  readonly openPalette: () => void
  readonly goTo: (path: string) => void
}

/** Milliseconds within which the second key of `g d` must follow. */
const sequence = 1_000

/** Reads single keys, and `g` with the key behind it as one: `g d`. */
class KeySequence {
  #lastG = Number.NEGATIVE_INFINITY

  read({ key: pressed, timeStamp }: KeyboardEvent): string {
    const isSecond = timeStamp - this.#lastG < sequence && pressed !== 'g'
    this.#lastG = pressed === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    return isSecond ? `g ${pressed}` : pressed
  }
}

/** Shortcuts of the shell: Ctrl K or `/` opens the palette, `g` and a letter goes to a page. */
export function useShortcuts(actions: ShellActions): void {
  const openPalette = useEffectEvent(() => actions.openPalette())
  const goTo = useEffectEvent((path: string) => actions.goTo(path))
  useEffect(() => {
    const keys = new KeySequence()
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault()
        openPalette()
        return
      }
      if (!isLetterShortcut(event)) return
      const pressed = keys.read(event)
      if (pressed === '/') {
        event.preventDefault()
        openPalette()
      }
      const entry = navigation.find(each => pressed === `g ${each.key}`)
      if (entry) goTo(entry.to)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Whether a key press may be a shortcut of one letter: not in fields, not with modifiers, not in dialogs. */
function isLetterShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !hasLetterShortcuts()) return false
  // Within a shadow root, such as an editor's, the target of the event is the host alone.
  const target = event.composedPath()[0] as HTMLElement
  return !target.matches('input, textarea, select, [contenteditable]') && !document.querySelector('[role="dialog"]')
}

/**
 * Calls the handler of a letter, or of `g` and the key behind it (`g 1`), while the component is mounted. A letter behind
 * `g` is no shortcut of its own.
 */
export function useLetterShortcuts(handlers: Readonly<Record<string, () => void>>): void {
  const call = useEffectEvent((event: KeyboardEvent, pressed: string) => {
    const handler = handlers[pressed]
    if (!handler) return
    // A field that the handler opens must not get the key.
    event.preventDefault()
    handler()
  })
  useEffect(() => {
    const keys = new KeySequence()
    const onKey = (event: KeyboardEvent) => {
      if (isLetterShortcut(event)) call(event, keys.read(event))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
