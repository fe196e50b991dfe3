import { type FormEvent, useEffect, useState } from 'react'
import { Refused } from '#client/sluice.ts'
import { CookieRefused, useSession } from '../api/session.tsx'
import { Button } from '../components/button/button.tsx'
import { TextField } from '../components/field/field.tsx'
import { faultText } from '../components/state/state.tsx'
import { general } from '../messages/general.ts'
import { shell } from '../messages/shell.ts'
import { Logo } from './logo.tsx'
import styles from './sign-in.module.css'

/** Page that is shown at every address while nobody is signed in; signing in continues at that address. */
export function SignInPage() {
  useEffect(() => {
    document.title = `${shell.signIn} · ${general.product}`
  }, [])
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <div className={styles['head']}>
          <Logo size={36} />
          <h1>{shell.signInTitle}</h1>
        </div>
        <SignInForm />
      </div>
    </main>
  )
}

/** Form with user name and password. */
export function SignInForm({ username }: { username?: string }) {
  const { signIn } = useSession()
  const [user, setUser] = useState(username ?? '')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    signIn({ user, password }).catch(failure => {
      setError(failure)
      setBusy(false)
    })
  }
  return (
    <form className={styles['head']} onSubmit={submit} style={{ justifyItems: 'stretch' }}>
      {error !== undefined && (
        <p className={styles['error']} role="alert">
          {textOf(error)}
        </p>
      )}
      <TextField
        label={shell.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        readOnly={username !== undefined}
        value={user}
        onChange={setUser}
      />
      <TextField
        label={shell.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" variant="primary" busy={busy}>
        {shell.signIn}
      </Button>
    </form>
  )
}

function textOf(error: unknown): string {
  if (error instanceof CookieRefused) return shell.cookieRefused
  if (error instanceof Refused && error.status === 401) return shell.wrongCredentials
  return faultText(error)
}
