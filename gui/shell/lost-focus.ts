import { type RefObject, useEffect } from 'react'

/** Time in which another element may be focused by what removed this one, such as a dialog that closes. */
const graceMs = 100

/**
 * Focuses the content of the page when the element that had the focus disappears, such as the card of an approval once
 * it is decided. The browser would leave the focus nowhere: screen readers fall silent, and Tab begins at the top. A
 * click beside everything takes the focus away on purpose, and an open dialog keeps it by itself.
 */
export function useLostFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let focused: EventTarget | null = null
    let waiting: ReturnType<typeof setTimeout> | undefined
    const remember = ({ target }: FocusEvent) => {
      focused = target
    }
    const forget = () => {
      focused = null
    }
    const observer = new MutationObserver(() => {
      if (!(focused instanceof Element) || focused.isConnected || !isNowhere()) return
      forget()
      clearTimeout(waiting)
      waiting = setTimeout(() => {
        if (isNowhere() && !document.querySelector('[role="dialog"][data-open]'))
          content.current?.focus({ preventScroll: true })
      }, graceMs)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget, true)
    return () => {
      observer.disconnect()
      clearTimeout(waiting)
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget, true)
    }
  }, [content])
}

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body
