import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

interface TabsProps {
  readonly label: string
  /** Values of the search parameter with their texts; the first one is shown without the parameter. */
  readonly tabs: readonly (readonly [value: string, text: ReactNode])[]
  readonly current: string
  /** Search parameter that holds the tab. */
  readonly parameter?: string
  /** Search parameters that stay when another tab is opened; without it, all. */
  readonly keep?: (search: Record<string, unknown>) => Record<string, unknown>
}

/** Tabs as links: the tab is part of the address, so that Back, reload and a colleague see the same. */
export function Tabs({ label, tabs, current, parameter = 'tab', keep = all }: TabsProps) {
  return (
    <nav className={styles['tabs']} aria-label={label}>
      {tabs.map(([value, text], i) => (
        <Link
          key={value}
          to="."
          search={(before: Record<string, unknown>) => ({ ...keep(before), [parameter]: i === 0 ? undefined : value })}
          // The first tab is the current one only without the parameter.
          activeOptions={{ explicitUndefined: true }}
          aria-current={value === current ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}

const all = (search: Record<string, unknown>) => search
