import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import styles from './diff.module.css'
import { mountDiff } from './mount-diff.ts'
import type { DiffProps } from './props.ts'

/** Diff once its code is loaded. The text that is edited is kept in the editor; a new `before` replaces both. */
export default function CodeDiff(props: DiffProps) {
  const { before, after, beforeLabel, afterLabel, language, layout = 'split' } = props
  const host = useRef<HTMLDivElement>(null)
  const isNarrow = useSyncExternalStore(watchWidth, () => narrow.matches)
  const isSplit = layout === 'split' && !isNarrow
  const isEditable = props.onChange !== undefined
  const onChange = useEffectEvent((text: string) => props.onChange?.(text))
  const current = useEffectEvent(() => after)
  // While it is edited, the text comes back as `after`: that is no reason to build the view again.
  const shown = isEditable ? undefined : after

  useEffect(() => {
    if (!host.current) return
    return mountDiff(host.current, {
      before,
      after: shown ?? current(),
      beforeLabel,
      afterLabel,
      language,
      isSplit,
      onChange: isEditable ? text => onChange(text) : undefined,
    })
  }, [before, shown, beforeLabel, afterLabel, language, isSplit, isEditable])

  return (
    <div className={styles['diff']}>
      <div className={isSplit ? styles['labels'] : styles['unifiedLabels']} aria-hidden>
        <span className={styles['before']}>{beforeLabel}</span>
        <span className={styles['after']}>{afterLabel}</span>
      </div>
      <div ref={host} className={styles['host']} />
    </div>
  )
}

const narrow = matchMedia('(max-width: 900px)')

function watchWidth(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}
