import { Info } from 'lucide-react'
import { agents as texts } from '../../messages/agents.ts'
import styles from './agents.module.css'

/** Notice that this release of the service starts no agents. */
export const NotStartedNotice = () => (
  <p className={styles['notice']}>
    <Info size={16} aria-hidden />
    <span>
      <strong>{texts.notStarted}.</strong> {texts.notStartedDetail}
    </span>
  </p>
)
