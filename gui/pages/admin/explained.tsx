import { useId } from 'react'
import { Tooltip } from '../../components/tooltip/tooltip.tsx'
import styles from './fact-table.module.css'

/** Term whose meaning is shown in a tooltip, also by keyboard, and read by screen readers. */
export function Explained({ text, about }: { text: string; about: string }) {
  const id = useId()
  return (
    <>
      <Tooltip text={about}>
        <button type="button" className={styles['explained']} aria-describedby={id}>
          {text}
        </button>
      </Tooltip>
      <span id={id} hidden>
        {about}
      </span>
    </>
  )
}
