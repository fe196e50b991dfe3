import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { run as texts } from '../../messages/run.ts'
import styles from './run-sheet.module.css'

/** Options that are closed until they are wanted; the code of their editor is loaded when they are opened. */
export function Options({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(isOpen)
  return (
    <details
      className={styles['options']}
      open={isOpen}
      onToggle={event => event.currentTarget.open && setWasOpened(true)}
    >
      <summary>
        <ChevronRight size={15} aria-hidden />
        {texts.options}
      </summary>
      <div>{wasOpened && children}</div>
    </details>
  )
}
