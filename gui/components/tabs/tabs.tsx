import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
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
  const nav = useRef<HTMLElement>(null)
  // In a narrow window the current tab may be beyond the edge. Only the tabs move, not the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the reason, not an input.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - (nav.current.clientWidth - link.offsetWidth) / 2
  }, [current])
  return (
    <nav ref={nav} className={styles['tabs']} aria-label={label}>
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
