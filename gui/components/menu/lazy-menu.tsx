import { cloneElement, lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu.tsx'

const Menu = lazy(async () => ({ default: (await import('./menu.tsx')).Menu }))

/** Menu for the shell, whose code is loaded after the first page is shown; a click before that opens it once it is there. */
export function LazyMenu(props: MenuProps) {
  const [isWanted, setIsWanted] = useState(false)
  return (
    <Suspense fallback={cloneElement(props.trigger, { onClick: () => setIsWanted(true) })}>
      <Menu {...props} opensAtOnce={isWanted} />
    </Suspense>
  )
}
