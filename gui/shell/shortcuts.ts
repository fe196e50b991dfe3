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

/** Shortcuts of the shell: Ctrl K or `/` opens the palette, `g` and a letter goes to a page. */
export function useShortcuts(actions: ShellActions): void {
  const openPalette = useEffectEvent(() => actions.openPalette())
  const goTo = useEffectEvent((path: string) => actions.goTo(path))
  useEffect(() => {
    let lastG = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault()
        openPalette()
        return
      }
      if (!isLetterShortcut(event)) return
      if (event.key === '/') {
        event.preventDefault()
        openPalette()
      } else if (event.key === 'g') lastG = event.timeStamp
      else if (event.timeStamp - lastG < sequence) {
        lastG = 0
        const entry = navigation.find(each => each.key === event.key)
        if (entry) goTo(entry.to)
      }
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

/** Calls the handler of a letter while the component is mounted. */
export function useLetterShortcuts(handlers: Readonly<Record<string, () => void>>): void {
  const call = useEffectEvent((pressed: string) => handlers[pressed]?.())
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isLetterShortcut(event)) call(event.key)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
