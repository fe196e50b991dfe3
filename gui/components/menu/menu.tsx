import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import styles from './menu.module.css'

export interface MenuItem {
  readonly text: ReactNode
  readonly icon?: ReactNode
  readonly onSelect: () => void
  /** Why the item is off; shown below its text. */
  readonly disabledReason?: string | undefined
}

export interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly items: readonly MenuItem[]
}

/** Button that opens a menu of actions. */
export function Menu({ trigger, items }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className={styles['positioner']!}>
          <Base.Popup className={styles['popup']!}>
            {items.map(({ text, icon, onSelect, disabledReason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu keep their places.
              <Base.Item key={i} className={styles['item']!} disabled={disabledReason !== undefined} onClick={onSelect}>
                {icon}
                <span>
                  {text}
                  {disabledReason !== undefined && <small className={styles['reason']}>{disabledReason}</small>}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
