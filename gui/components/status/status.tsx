import {
  Ban,
  Check,
  ChevronsRight,
  CircleDot,
  Clock,
  Hand,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  ThumbsDown,
  X,
  Zap,
} from 'lucide-react'
import { statusWords } from '../../messages/general.ts'
import styles from './status.module.css'

/** Icon of each status code: a shape of its own, so that colour is never the only sign. */
const icons: Readonly<Record<string, LucideIcon>> = {
  initializing: CircleDot,
  pending: CircleDot,
  queued: Clock,
  running: LoaderCircle,
  waiting: Hourglass,
  waiting_for_approval: Hand,
  success: Check,
  skipped: ChevronsRight,
  error: X,
  system_error: Zap,
  cancelled: Ban,
  aborted: OctagonX,
  rejected: ThumbsDown,
}

const colour = (status: string) => styles[status === 'running' ? 'isRunning' : status] ?? styles['pending']!

/** Icon of a status with its word for screen readers, unless `labelled` says that the word stands beside it. */
export function StatusIcon({
  status,
  size = 16,
  labelled = false,
}: {
  status: string
  size?: number
  labelled?: boolean
}) {
  const Icon = icons[status] ?? CircleDot
  const classes = [styles['icon'], colour(status), status === 'running' && styles['running']].filter(Boolean).join(' ')
  if (labelled) return <Icon size={size} className={classes} aria-hidden />
  return <Icon size={size} className={classes} role="img" aria-label={statusWord(status)} />
}

/** Badge with icon and word of a status. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <span className={`${styles['badge']} ${colour(status)}`}>
      <StatusIcon status={status} size={14} labelled />
      {statusWord(status)}
    </span>
  )
}

interface StateBadgeProps {
  /** Status whose colours the state has. */
  readonly like: string
  readonly icon: LucideIcon
  readonly children: string
}

/** Badge of a state that is no status of activities and steps. */
export const StateBadge = ({ like, icon: Icon, children }: StateBadgeProps) => (
  <span className={`${styles['badge']} ${colour(like)}`}>
    <Icon size={14} className={styles['icon']} aria-hidden />
    {children}
  </span>
)

export const statusWord = (status: string): string => statusWords[status] ?? status.replaceAll('_', ' ')
