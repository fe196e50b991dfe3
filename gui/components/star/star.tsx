import { Star as Icon } from 'lucide-react'
import { stars as texts } from '../../messages/stars.ts'
import { mostStars, useStars } from '../../preferences/starred-nodes.ts'
import { IconButton } from '../button/button.tsx'
import styles from './star.module.css'

/** Button that stars a node or takes the star away. */
export function Star({ path, name }: { path: string; name: string }) {
  const { starred, star } = useStars()
  const isStarred = starred?.has(path) ?? false
  return (
    <IconButton
      label={texts.star(name)}
      variant="quiet"
      aria-pressed={isStarred}
      busy={starred === undefined}
      disabledReason={isStarred || (starred?.size ?? 0) < mostStars ? undefined : texts.tooMany(mostStars)}
      onClick={() => star(path, !isStarred)}
    >
      <Icon size={18} className={isStarred ? styles['starred'] : styles['plain']} aria-hidden />
    </IconButton>
  )
}

interface RowStarProps {
  readonly name: string
  readonly isStarred: boolean
  readonly onStar: (isStarred: boolean) => void
}

/** Star in a row of a tree, whose keys work on the row: it is no stop of the keyboard itself. */
export function RowStar({ name, isStarred, onStar }: RowStarProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles['inRow']}
      aria-pressed={isStarred}
      aria-label={texts.star(name)}
      title={isStarred ? texts.unstarHint : texts.starHint}
      onClick={event => {
        event.preventDefault()
        event.stopPropagation()
        onStar(!isStarred)
      }}
    >
      <Icon size={15} className={isStarred ? styles['starred'] : styles['plain']} aria-hidden />
    </button>
  )
}
