import type { KeyboardEvent, PointerEvent } from 'react'
import { actOf, pressedKey } from '../../keyboard/keys.ts'
import styles from './splitter.module.css'

interface SplitterProps {
  /** What it changes: "Width of the tree". */
  readonly label: string
  /** Width of the pane before it, in pixels. */
  readonly value: number
  readonly minimum: number
  readonly maximum: number
  readonly onChange: (value: number) => void
}

/** Pixels for one press of an arrow key. */
const step = 16

/** Line between two panes that changes the width of the first one, by dragging or with the arrow keys. */
export function Splitter({ label, value, minimum, maximum, onChange }: SplitterProps) {
  const change = (next: number) => onChange(Math.round(Math.min(maximum, Math.max(minimum, next))))
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actOf('panes', pressedKey(event))
    if (act === undefined) return
    event.preventDefault()
    change({ narrower: value - step, wider: value + step, narrowest: minimum, widest: maximum }[act])
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) change(value + event.movementX)
  }
  return (
    <div
      className={styles['splitter']}
      role="separator"
      data-keys="panes"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={value}
      aria-valuemin={minimum}
      aria-valuemax={maximum}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
