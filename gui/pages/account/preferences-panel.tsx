import { useState } from 'react'
import { isDensity } from '../../components/density/density.ts'
import { Checkbox, Select } from '../../components/field/field.tsx'
import { Panel } from '../../components/page/page.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { hasLetterShortcuts, setLetterShortcuts } from '../../keyboard/shortcuts.ts'
import { account as texts } from '../../messages/account.ts'
import { useDensity, useTheme } from '../../preferences/appearance.ts'
import { useSavePreferences } from '../../preferences/preferences.ts'
import { isTheme } from '../../shell/theme.ts'
import styles from './account.module.css'

/** Preferences that follow the user to every browser. */
export function PreferencesPanel() {
  const [theme, chooseTheme] = useTheme()
  const [density, chooseDensity] = useDensity()
  const [hasLetters, setHasLetters] = useState(hasLetterShortcuts)
  const save = useSavePreferences({ keep: true })
  const setLetters = (on: boolean) => {
    setLetterShortcuts(on)
    setHasLetters(on)
    save({ letter_shortcuts: on })
  }
  return (
    <Panel title={texts.preferences}>
      <div className={styles['form']}>
        <p className={styles['soft']}>{texts.preferencesDetail}</p>
        <Select
          label={texts.theme}
          value={theme}
          onChange={value => isTheme(value) && chooseTheme(value)}
          options={Object.entries(texts.themes)}
        />
        <Select
          label={texts.density}
          value={density}
          onChange={value => isDensity(value) && chooseDensity(value)}
          options={Object.entries(texts.densities)}
        />
        <Checkbox label={texts.letters} checked={hasLetters} onChange={setLetters} />
        <dl className={styles['facts']}>
          <dt>{texts.zone}</dt>
          <dd>
            {userTimeZone()} <span className={styles['small']}>{texts.zoneDetail}</span>
          </dd>
        </dl>
      </div>
    </Panel>
  )
}
