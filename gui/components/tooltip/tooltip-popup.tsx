import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import styles from './tooltip.module.css'

interface TooltipPopupProps {
  readonly anchor: Element
  readonly text: ReactNode
  /** The pointer is over the popup, which stays then. */
  readonly onEnter: () => void
  readonly onClose: () => void
}

/** The popup of a tooltip, beside its element. Loaded when the first one opens: placing it takes a sixth of the first page's code. */
export default function TooltipPopup({ anchor, text, onEnter, onClose }: TooltipPopupProps) {
  return (
    <Base.Root open onOpenChange={isOpen => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={6} className={styles['positioner']!}>
          <Base.Popup className={styles['tooltip']!} aria-hidden onPointerEnter={onEnter} onPointerLeave={onClose}>
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
