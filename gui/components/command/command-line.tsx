import { Copy } from 'lucide-react'
import { general } from '../../messages/general.ts'
import { IconButton } from '../button/button.tsx'
import { useCopy } from '../copy/use-copy.ts'
import styles from './command.module.css'

/** Command with a button that copies it. */
export function CommandLine({ command }: { command: string }) {
  const copy = useCopy()
  return (
    <div className={styles['line']}>
      <pre>
        <code>{command}</code>
      </pre>
      <IconButton label={general.copy} onClick={() => void copy(command, general.commandCopied)}>
        <Copy size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
