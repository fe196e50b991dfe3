import { LogOut } from 'lucide-react'
import { useMe, useSession } from '../../api/session.tsx'
import { Button } from '../../components/button/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { account as texts } from '../../messages/account.ts'
import styles from './account.module.css'
import { PasswordPanel } from './password-panel.tsx'
import { PreferencesPanel } from './preferences-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

/** The own account: profile, password, tokens, preferences. */
export function AccountPage() {
  const { username, auth_provider: provider } = useMe().attributes
  const { signOut } = useSession()
  const toast = useToast()
  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={username}
      actions={
        <Button onClick={() => void signOut().catch(toast.failed)}>
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
          <TokensPanel />
          <PreferencesPanel />
        </div>
      </div>
    </Page>
  )
}
