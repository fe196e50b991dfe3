import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import styles from './menu.module.css'

export interface MenuItem {
  readonly text: ReactNode
  readonly icon?: ReactNode
  readonly onSelect: () => void
  /** Whether it is the one of its section that the page shows. */
  readonly isCurrent?: boolean
  /** Why the item is off; shown below its text. */
  readonly disabledReason?: string | undefined
}

export interface MenuSection {
  readonly title?: string
  readonly items: readonly MenuItem[]
}

export interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly items?: readonly MenuItem[]
  /** Items in sections, with a line between them. */
  readonly sections?: readonly MenuSection[]
  /** Whether it is open when it is first shown. */
  readonly opensAtOnce?: boolean
}

/**
 * Button that opens a menu of actions. The menu is drawn in the landmark of its button, so that people who move by
 * landmarks find it there; fixed to the window, it is not cut off where that scrolls.
 */
export function Menu({ trigger, items = [], sections = [{ items }], opensAtOnce = false }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [landmark, setLandmark] = useState<HTMLElement | null>(null)
  const open = useEffectEvent(() => opensAtOnce && button.current?.click())
  useEffect(() => {
    open()
  }, [])
  return (
    <Base.Root onOpenChange={isOpen => isOpen && setLandmark(landmarkOf(button.current))}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal container={landmark} className={styles['portal']!}>
        <Base.Positioner sideOffset={6} align="end" positionMethod="fixed" className={styles['positioner']!}>
          <Base.Popup className={styles['popup']!}>
            {sections
              .filter(section => section.items.length > 0)
              .map((section, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a menu keep their places.
                <Base.Group key={i} className={styles['section']!}>
                  {section.title !== undefined && (
                    <Base.GroupLabel className={styles['title']!}>{section.title}</Base.GroupLabel>
                  )}
                  {section.items.map((item, j) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu keep their places.
                    <Item key={j} item={item} />
                  ))}
                </Base.Group>
              ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Landmark or dialog around an element; headers and navigations within them are their parts. */
const landmarkOf = (element: HTMLElement | null): HTMLElement =>
  element?.closest<HTMLElement>('main, [role="dialog"]') ??
  element?.closest<HTMLElement>('header, nav') ??
  document.body

function Item({ item: { text, icon, onSelect, isCurrent, disabledReason } }: { item: MenuItem }) {
  return (
    <Base.Item
      className={styles['item']!}
      disabled={disabledReason !== undefined}
      aria-current={isCurrent || undefined}
      onClick={onSelect}
    >
      {icon}
      <span className={styles['text']}>
        {text}
        {disabledReason !== undefined && <small className={styles['reason']}>{disabledReason}</small>}
      </span>
      {isCurrent && <Check size={15} aria-hidden />}
    </Base.Item>
  )
}
