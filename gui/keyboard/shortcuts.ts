import { useEffect, useEffectEvent } from 'react'
import { type Act, actOf, type Place, pressedKey } from './keys.ts'

const key = 'sluice.shortcuts'

/** Whether single letters act as shortcuts; people who dictate switch them off. */
export const hasLetterShortcuts = (): boolean => localStorage.getItem(key) !== 'off'
export const setLetterShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(key) : localStorage.setItem(key, 'off')

/** Milliseconds within which the second key of `g d` must follow. */
const sequence = 1_000

/** Reads single keys, and `g` with the key behind it as one: `g d`. */
class KeySequence {
  #lastG = Number.NEGATIVE_INFINITY

  read(event: KeyboardEvent): string {
    const pressed = pressedKey(event)
    const isSecond = event.timeStamp - this.#lastG < sequence && pressed !== 'g'
    this.#lastG = pressed === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    return isSecond ? `g ${pressed}` : pressed
  }
}

/**
 * What keys of a place do. A handler gets the key, as one of several digits; one that returns false leaves the key to the
 * browser.
 */
export type Handlers<At extends Place> = {
  readonly [Name in Act<At>]?: ((pressed: string) => void) | ((pressed: string) => boolean) | undefined
}

/**
 * Calls the handlers of a place for its keys, wherever the focus is, while the component is mounted. Keys without Ctrl act
 * neither in fields nor in dialogs, nor where single letters are switched off; a letter behind `g` is no key of its own.
 */
export function useKeys<At extends Place>(place: At, handlers: Handlers<At>): void {
  useSequences((pressed, event) => {
    const act = actOf(place, pressed)
    const handler = act && handlers[act]
    if (!handler) return
    // A field that the handler opens must not get the key.
    if (handler(pressed) !== false) event.preventDefault()
  })
}

/** Calls the handler of `g` and the letter of a page: `g d`. */
export function usePageKeys(onPage: (letter: string) => void): void {
  useSequences(pressed => {
    if (pressed.startsWith('g ')) onPage(pressed.slice(2))
  })
}

/** Calls a handler with every key that may act on the whole page, and with `g` and the key behind it as one. */
function useSequences(handler: (pressed: string, event: KeyboardEvent) => void): void {
  const call = useEffectEvent(handler)
  useEffect(() => {
    const keys = new KeySequence()
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey) call(pressedKey(event), event)
      else if (isSingleKey(event)) call(keys.read(event), event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Whether a key without Ctrl may be a shortcut: not in fields and dialogs. */
function isSingleKey(event: KeyboardEvent): boolean {
  if (event.altKey || event.defaultPrevented || !hasLetterShortcuts()) return false
  // Within a shadow root, such as an editor's, the target of the event is the host alone.
  const target = event.composedPath()[0] as HTMLElement
  return !target.matches('input, textarea, select, [contenteditable]') && !document.querySelector('[role="dialog"]')
}
