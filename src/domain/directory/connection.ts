import { isBelow } from './distinguished-name.ts'

/** Connection parameters of the directory, from the settings ldap.* with defaults filled in. */
export interface DirectoryConnection {
  readonly host: string
  readonly port: number
  readonly tls: 'none' | 'starttls' | 'ldaps'
  /** Credentials for searching; undefined: anonymous. */
  readonly bind: { readonly dn: string; readonly password: string } | undefined
  readonly users: { readonly base: string; readonly attribute: string; readonly filter: string }
  readonly groups: { readonly base: string; readonly attribute: string }
  readonly mailAttribute: string
  /** Seconds for which a correct password is cached. */
  readonly cacheSeconds: number
  readonly refreshSeconds: number
  readonly searchSeconds: number
}

/** Error of the directory, or of its configuration. Its message may be shown. */
export class DirectoryError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DirectoryError'
  }
}

/**
 * Connection to the directory from the settings (pure). Undefined without a directory (no ldap.host). A base is
 * complete, or relative to ldap.base_dn.
 *
 * @throws DirectoryError for incomplete settings
 */
export function directoryConnection(settings: Readonly<Record<string, unknown>>): DirectoryConnection | undefined {
  const said = (name: string) => settings[`ldap.${name}`] as string | undefined
  const host = said('host')
  if (host === undefined) return undefined
  // Unencrypted passwords need explicit consent.
  const tls = (said('tls') as DirectoryConnection['tls'] | undefined) ?? 'starttls'
  const bindDn = said('bind_dn')
  if (bindDn !== undefined && said('password') === undefined) {
    throw new DirectoryError('ldap.bind_dn is set without ldap.password; set both, or neither.')
  }
  const base = (name: 'user_base' | 'group_base') => {
    const found = below(said('base_dn'), said(name))
    if (found === undefined) throw new DirectoryError(`Neither ldap.base_dn nor ldap.${name} is set.`)
    return found
  }
  return {
    host,
    port: Number(settings['ldap.port'] ?? (tls === 'ldaps' ? 636 : 389)),
    tls,
    bind: bindDn === undefined ? undefined : { dn: bindDn, password: said('password')! },
    users: {
      base: base('user_base'),
      attribute: said('user_attribute') ?? 'uid',
      filter: said('user_filter') ?? '(objectClass=person)',
    },
    groups: { base: base('group_base'), attribute: said('group_attribute') ?? 'cn' },
    mailAttribute: said('mail_attribute') ?? 'mail',
    cacheSeconds: Number(settings['ldap.cache_ttl']),
    refreshSeconds: Number(settings['ldap.refresh_interval']),
    searchSeconds: Number(settings['ldap.search_timeout']),
  }
}

function below(base: string | undefined, name: string | undefined): string | undefined {
  if (name === undefined || base === undefined) return name ?? base
  return isBelow(name, base) ? name : `${name},${base}`
}
