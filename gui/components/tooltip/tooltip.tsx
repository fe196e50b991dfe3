import {
  cloneElement,
  type FocusEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'

const TooltipPopup = lazy(() => import('./tooltip-popup.tsx'))

/** Milliseconds until a tooltip opens under the pointer, and until it closes, so that the pointer can go over to it. */
const delay = 400
const grace = 100

type Handlers = {
  readonly [Name in 'onPointerEnter' | 'onPointerLeave' | 'onPointerDown']?: (event: PointerEvent) => void
} & { readonly [Name in 'onFocus' | 'onBlur']?: (event: FocusEvent) => void }

/** Tooltip of an element that can be focused. It adds to what is on the page; nothing is said in it alone, so screen readers skip it. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement<Record<string, unknown>> }) {
  const [anchor, setAnchor] = useState<Element>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (to: Element | undefined, after: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(to), after)
  }
  const close = () => change(undefined, 0)
  const own = children.props as Handlers
  const handlers: Handlers = {
    onPointerEnter: event => {
      own.onPointerEnter?.(event)
      if (event.pointerType !== 'touch') change(event.currentTarget, delay)
    },
    onPointerLeave: event => {
      own.onPointerLeave?.(event)
      change(undefined, grace)
    },
    onPointerDown: event => {
      own.onPointerDown?.(event)
      close()
    },
    onFocus: event => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) change(event.currentTarget, 0)
    },
    onBlur: event => {
      own.onBlur?.(event)
      close()
    },
  }
  return (
    <>
      {cloneElement(children, handlers)}
      {anchor && (
        <Suspense>
          <TooltipPopup anchor={anchor} text={text} onEnter={() => clearTimeout(timer.current)} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
