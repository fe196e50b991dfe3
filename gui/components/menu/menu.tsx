import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
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
}

/** Button that opens a menu of actions. */
export function Menu({ trigger, items = [], sections = [{ items }] }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className={styles['positioner']!}>
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
