import { PanelLeftOpen } from 'lucide-react'
import { IconButton } from '../../components/button/button.tsx'
import { projects as texts } from '../../messages/projects.ts'
import styles from './node-page.module.css'
import { useTree } from './nodes.ts'

/** Button that shows the tree again; nothing while it is shown. */
export function ShowTreeButton() {
  const { isHidden, setIsHidden } = useTree()
  if (!isHidden) return null
  return (
    <IconButton
      label={texts.showTree}
      variant="quiet"
      size="small"
      className={styles['showTree']}
      onClick={() => setIsHidden(false)}
    >
      <PanelLeftOpen size={17} aria-hidden />
    </IconButton>
  )
}
