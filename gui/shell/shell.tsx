import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { CircleUser, Ellipsis, Keyboard, LogOut, Moon, Search, Sun, SunMoon, UserRound } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useMe, useSession } from '../api/session.tsx'
import { Button, IconButton } from '../components/button/button.tsx'
import { LazyMenu } from '../components/menu/lazy-menu.tsx'
import { useKeys, usePageKeys } from '../keyboard/shortcuts.ts'
import { general } from '../messages/general.ts'
import { shell } from '../messages/shell.ts'
import { usePreferencesOfUser, useTheme } from '../preferences/appearance.ts'
import { useVisitSaver } from '../preferences/use-recent-nodes.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { Logo } from './logo.tsx'
import { useLostFocus } from './lost-focus.ts'
import { MaintenanceBanner } from './maintenance-banner.tsx'
import { isWithin, navigation } from './navigation.ts'
import { mayOpen } from './rights.ts'
import { SessionBanner } from './session-banner.tsx'
import styles from './shell.module.css'
import { useSignOut } from './sign-out.ts'
import type { Theme } from './theme.ts'

const Palette = lazy(() => import('./palette.tsx'))
const KeysDialog = lazy(() => import('./keys-dialog.tsx'))
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'))

/** Frame around every page: navigation, search, account, banners. */
export function Shell() {
  usePreferencesOfUser()
  useVisitSaver()
  const [open, setOpen] = useState<'search' | 'keys'>()
  const main = useRef<HTMLElement>(null)
  useLostFocus(main)
  const { state } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useKeys('everywhere', { search: () => setOpen('search'), keys: () => setOpen('keys') })
  usePageKeys(letter => {
    const page = navigation.find(({ key }) => key === letter)
    if (page) void navigate({ to: page.to })
  })
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    // Screen readers begin with the new page.
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        {general.skip}
      </a>
      <div style={{ gridArea: 'banner' }}>
        <ConnectionBanner />
        <SessionBanner />
        <MaintenanceBanner />
      </div>
      <nav className={styles['side']} aria-label={shell.navigation}>
        <Link to="/" className={styles['brand']} aria-label={general.product}>
          <Logo />
          <span>{general.product}</span>
        </Link>
        <Navigation />
      </nav>
      <header className={styles['top']}>
        <Button className={styles['searchButton']} onClick={() => setOpen('search')}>
          <Search size={15} aria-hidden />
          {shell.search}
          <kbd aria-hidden>Ctrl K</kbd>
        </Button>
        <div className={styles['topEnd']}>
          <ThemeButton />
          <AccountMenu onKeys={() => setOpen('keys')} />
        </div>
      </header>
      <main id="main" ref={main} className={styles['main']} tabIndex={-1}>
        <Outlet />
      </main>
      {state === 'ended' && (
        <Suspense>
          <SignInDialog description={shell.sessionEnded} />
        </Suspense>
      )}
      <Suspense>
        {open === 'search' && <Palette onClose={() => setOpen(undefined)} onKeys={() => setOpen('keys')} />}
        {open === 'keys' && <KeysDialog onClose={() => setOpen(undefined)} />}
      </Suspense>
    </div>
  )
}

function Navigation() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const me = useMe()
  const entries = navigation.filter(each => mayOpen(me, each))
  return (
    <ul className={styles['pages']}>
      {entries.map(({ to, text, icon: Icon, primary }) => (
        <li key={to} className={primary ? '' : styles['secondary']}>
          <Link
            to={to}
            className={styles['entry']}
            aria-current={isWithin(pathname, to) ? 'page' : undefined}
            title={text}
          >
            <Icon size={18} aria-hidden />
            <span>{text}</span>
          </Link>
        </li>
      ))}
      <li className={styles['moreEntry']}>
        <LazyMenu
          trigger={
            <button type="button" className={styles['entry']}>
              <Ellipsis size={18} aria-hidden />
              <span>{general.more}</span>
            </button>
          }
          items={entries
            .filter(({ primary }) => !primary)
            .map(({ to, text, icon: Icon }) => ({
              text,
              icon: <Icon size={16} aria-hidden />,
              onSelect: () => void navigate({ to }),
            }))}
        />
      </li>
    </ul>
  )
}

const themeIcons = { system: SunMoon, light: Sun, dark: Moon }
const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

function ThemeButton() {
  const [theme, choose] = useTheme()
  const Icon = themeIcons[theme]
  return (
    <IconButton label={shell.themes[theme]} variant="quiet" onClick={() => choose(nextTheme[theme])}>
      <Icon size={18} aria-hidden />
    </IconButton>
  )
}

function AccountMenu({ onKeys }: { onKeys: () => void }) {
  const { username, display_name } = useMe().attributes
  const signOut = useSignOut()
  const navigate = useNavigate()
  return (
    <LazyMenu
      trigger={
        <Button variant="quiet" aria-label={`${shell.account}: ${username}`}>
          <CircleUser size={18} aria-hidden />
          <span className={styles['userName']}>{display_name || username}</span>
        </Button>
      }
      items={[
        {
          text: shell.profile,
          icon: <UserRound size={16} aria-hidden />,
          onSelect: () => void navigate({ to: '/me' }),
        },
        { text: shell.keys, icon: <Keyboard size={16} aria-hidden />, onSelect: onKeys },
        {
          text: shell.signOut,
          icon: <LogOut size={16} aria-hidden />,
          onSelect: signOut,
        },
      ]}
    />
  )
}
