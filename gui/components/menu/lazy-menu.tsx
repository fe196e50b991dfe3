import { lazy, Suspense } from 'react'
import type { MenuProps } from './menu.tsx'

const Menu = lazy(async () => ({ default: (await import('./menu.tsx')).Menu }))

/** Menu for the shell, whose code is loaded after the first page is shown; until then its button does nothing. */
export function LazyMenu(props: MenuProps) {
  return (
    <Suspense fallback={props.trigger}>
      <Menu {...props} />
    </Suspense>
  )
}
