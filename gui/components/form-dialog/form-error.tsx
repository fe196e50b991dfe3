import { useEffect, useRef } from 'react'
import styles from './form-dialog.module.css'

/** Error of a form that belongs to none of its fields; it scrolls into view. */
export function FormError({ text }: { text: string | undefined }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (text !== undefined) place.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  if (text === undefined) return null
  return (
    <p ref={place} className={styles['error']} role="alert">
      {text}
    </p>
  )
}
