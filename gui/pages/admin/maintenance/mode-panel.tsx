import { CirclePlay, CircleSlash, CircleUser } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../../api/session.tsx'
import { Button } from '../../../components/button/button.tsx'
import { Tag } from '../../../components/chip/chip.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { maintenance as texts } from '../../../messages/admin.ts'
import { general } from '../../../messages/general.ts'
import type { DrainStatus } from '../../../shell/maintenance.ts'
import { mayUpdate } from '../../../shell/rights.ts'
import styles from './maintenance.module.css'
import { type Mode, modes } from './mode.ts'
import { SwitchDialog } from './switch-dialog.tsx'

const icons = { disabled: CirclePlay, enabled: CircleSlash, superuser_override: CircleUser }
const settingPath = '/system_configuration'

/** The three modes, each with what it means; a button switches to it. */
export function ModePanel({ mode, status }: { mode: Mode; status: DrainStatus }) {
  const [wanted, setWanted] = useState<Mode>()
  const reason = mayUpdate(useMe(), settingPath) ? undefined : general.needsRight('update', settingPath)
  return (
    <Panel title={texts.mode} flush>
      <ul>
        {modes.map(each => {
          const Icon = icons[each]
          const { name, detail, command, button } = texts.modes[each]
          return (
            <li key={each} className={styles['mode']} data-current={each === mode || undefined}>
              <Icon size={20} aria-hidden />
              <div className={styles['what']}>
                <h3>
                  {name} {each === mode && <Tag>{texts.current}</Tag>}
                </h3>
                <p>{detail}</p>
                <code>{command}</code>
              </div>
              {each !== mode && (
                <Button disabledReason={reason} onClick={() => setWanted(each)}>
                  {button}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {wanted && <SwitchDialog mode={wanted} status={status} onClose={() => setWanted(undefined)} />}
    </Panel>
  )
}
