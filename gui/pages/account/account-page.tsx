import { LogOut } from 'lucide-react'
import { useMe } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { account as texts } from '../../messages/account.ts'
import { useSignOut } from '../../shell/sign-out.ts'
import styles from './account.module.css'
import { PasswordPanel } from './password-panel.tsx'
import { PreferencesPanel } from './preferences-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

/** The own account: profile, password, sessions, tokens, preferences. */
export function AccountPage() {
  const { username, auth_provider: provider } = useMe().attributes
  const signOut = useSignOut()
  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={username}
      commands={[
        'sluice whoami',
        'sluice list tokens --filter mine',
        'sluice list sessions --filter mine',
        'sluice api GET /api/me/preferences',
      ]}
      actions={
        <Button onClick={signOut}>
          <LogOut size={16} aria-hidden />
          {texts.signOut}
        </Button>
      }
    >
      <div className={styles['columns']}>
        <div className={styles['stack']}>
          <ProfilePanel />
          {provider === 'local' && <PasswordPanel />}
        </div>
        <div className={styles['stack']}>
          <SessionsPanel />
          <TokensPanel />
          <PreferencesPanel />
        </div>
      </div>
    </Page>
  )
}
