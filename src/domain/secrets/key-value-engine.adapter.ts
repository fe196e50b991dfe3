import { mountOf, type VaultConnection } from './vault-connection.ts'
import { VaultFailure } from './vault-failure.ts'
import { type AskVault, askingVault, type Outgoing, type VaultAnswer } from './vault-request.adapter.ts'

/** Content of one path: its values by their keys, and the number of its newest version (0: there never was one). */
interface KeyValueEntry {
  readonly values: Readonly<Record<string, unknown>>
  readonly version: number
}

/** The key-value engine, version 2, of a vault. */
export interface KeyValueEngine {
  read(path: string): Promise<KeyValueEntry>
  /**
   * Writes the values that `change` returns, also with concurrent writers. If no values are left the path is erased,
   * including its history.
   */
  write(path: string, change: (values: KeyValueEntry['values']) => KeyValueEntry['values'] | undefined): Promise<void>
}

/** Maximum number of attempts when others write the same path concurrently; in each round one of them succeeds. */
const tries = 8

/**
 * @param tokens cached tokens of sign-ins, by connection: one sign-in lasts as long as its lease
 * @throws VaultFailure
 */
export function keyValueEngine(connection: VaultConnection, outgoing: Outgoing): KeyValueEngine {
  const { address } = connection
  const ask = askingVault(connection, outgoing)
  const signIn = signingIn(connection, ask)
  const mount = encodePath(mountOf(connection))

  const askSignedIn: AskVault = async (method, path, { body } = {}) => {
    const send = (token: string) => ask(method, path, { ...(body && { body }), token })
    const { token, isNew } = await signIn.token()
    const answer = await send(token)
    // A token that was revoked, or whose lease has ended, is refused with 403, as with a missing policy.
    if (answer.status !== 403 || isNew || !signIn.invalidate(token)) return answer
    return send((await signIn.token()).token)
  }
  const refuse = (doing: string, path: string, answer: VaultAnswer): never => {
    const { status } = answer
    const where = `${mountOf(connection)}/${path.replace(/^\/+/, '')}`
    const said = reasonOf(answer, connection)
    if (status === 403)
      throw new VaultFailure(`The vault at ${address} does not let its user ${doing} ${where}${said}.`)
    throw new VaultFailure(`The vault at ${address} cannot ${doing} ${where} (${status}${said}).`)
  }

  const read = async (path: string): Promise<KeyValueEntry> => {
    const answer = await askSignedIn('GET', `${mount}/data/${encodePath(path)}`)
    const data = part(part(answer.body, 'data'), 'data')
    const version = Number(part(part(part(answer.body, 'data'), 'metadata'), 'version') ?? 0)
    // Also if the newest version was deleted: then there are no data, but a version.
    if (answer.status === 404 && !reasonOf(answer, connection)) return { values: {}, version }
    if (answer.status !== 200) refuse('read', path, answer)
    if (typeof data !== 'object' || data === null)
      throw new VaultFailure(`${mountOf(connection)} of the vault at ${address} is no key-value engine of version 2.`)
    return { values: data as Record<string, unknown>, version }
  }

  return {
    read,
    write: async (path, change) => {
      for (let attempt = 1; ; attempt += 1) {
        const { values, version } = await read(path)
        const changed = change(values)
        if (changed === undefined) return
        const answer =
          Object.keys(changed).length === 0
            ? await askSignedIn('DELETE', `${mount}/metadata/${encodePath(path)}`)
            : await askSignedIn('POST', `${mount}/data/${encodePath(path)}`, {
                body: { data: changed, options: { cas: version } },
              })
        if (answer.status === 200 || answer.status === 204) return
        const overtaken = answer.status === 400 && /check-and-set/.test(JSON.stringify(answer.body ?? ''))
        if (!overtaken || attempt === tries) refuse('write', path, answer)
      }
    },
  }
}

interface SignIn {
  /** Returns a token, and whether it was issued for this caller: then another sign-in would give no better one. */
  token(): Promise<{ readonly token: string; readonly isNew: boolean }>
  /**
   * Discards this token. If concurrent callers have got another one meanwhile, that one stays. False: there is no way
   * to get another token.
   */
  invalidate(token: string): boolean
}

/** A running sign-in, or its result. */
interface SignedIn {
  readonly token: Promise<string>
  /** Value of the token, known once the sign-in has ended. */
  value?: string
  until: number
}

function signingIn(connection: VaultConnection, ask: AskVault): SignIn {
  const { address, auth_method, token = '', user = '', password = '' } = connection
  if (auth_method === 'token') return { token: async () => ({ token, isNew: false }), invalidate: () => false }
  let signedIn: SignedIn | undefined
  const signIn = async (): Promise<{ given: string; seconds: number }> => {
    const answer = await ask('POST', `auth/userpass/login/${encodeURIComponent(user)}`, { body: { password } })
    const given = part(part(answer.body, 'auth'), 'client_token')
    if (answer.status !== 200 || typeof given !== 'string')
      throw new VaultFailure(
        `The vault at ${address} does not sign in the user ${user} (${answer.status}${reasonOf(answer, connection)}).`,
      )
    return { given, seconds: Number(part(part(answer.body, 'auth'), 'lease_duration') ?? 0) }
  }
  const begin = (): SignedIn => {
    const asked = signIn()
    const made: SignedIn = { token: asked.then(({ given }) => given), until: Number.POSITIVE_INFINITY }
    asked.then(
      ({ given, seconds }) => {
        made.value = given
        // Renewed a little before its time; a lease of 0 never ends.
        if (seconds > 0) made.until = performance.now() + seconds * 800
      },
      () => {
        if (signedIn === made) signedIn = undefined
      },
    )
    return made
  }
  return {
    token: async () => {
      const isNew = !signedIn || signedIn.until < performance.now()
      if (isNew) signedIn = begin()
      return { token: await signedIn!.token, isNew }
    },
    invalidate: refused => {
      if (signedIn?.value === refused) signedIn = undefined
      return true
    },
  }
}

const encodePath = (path: string): string =>
  path
    .split('/')
    .filter(each => each !== '')
    .map(encodeURIComponent)
    .join('/')

const part = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

/** Error message of the vault, shortened, and without the secrets sent to it. */
function reasonOf({ body }: VaultAnswer, { token, password }: VaultConnection): string {
  const errors = part(body, 'errors')
  const said = Array.isArray(errors) ? errors.filter(each => typeof each === 'string').join('; ') : ''
  const told = [token, password].filter(word => word !== undefined && word !== '') as string[]
  const clean = told.reduce((text, word) => text.replaceAll(word, '***'), said)
  const line = clean.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return line === '' ? '' : `: ${line}`
}
