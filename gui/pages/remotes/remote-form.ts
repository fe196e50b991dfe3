import type { GitRemote } from '../../api/records.ts'

/** Credentials of a Git remote. They are write-only: the API tells whether there is one, never its value. */
export const credentialNames = ['password', 'ssh_key_data', 'passphrase'] as const
export type CredentialName = (typeof credentialNames)[number]

/** Values of the form: texts as they are typed. A stored credential is an empty text, and kept as long as it is empty. */
export interface RemoteValues {
  readonly name: string
  readonly url: string
  readonly public_url: string
  readonly user: string
  readonly password: string
  readonly ssh_key_data: string
  readonly passphrase: string
  readonly interval: string
  /** Names of the stored credentials that are to be removed, with blanks between them. */
  readonly removed: string
}

export const noRemote: RemoteValues = {
  name: '',
  url: '',
  public_url: '',
  user: '',
  password: '',
  ssh_key_data: '',
  passphrase: '',
  interval: '',
  removed: '',
}

type Shown = Pick<GitRemote, 'name' | 'url' | 'public_url' | 'user' | 'periodic_fetch_interval'>

export const valuesOf = ({ name, url, public_url, user, periodic_fetch_interval: interval }: Shown): RemoteValues => ({
  ...noRemote,
  name,
  url,
  public_url: public_url ?? '',
  user: user ?? '',
  interval: interval === null ? '' : String(interval),
})

export function attributesOf(values: RemoteValues): object {
  const credentials = credentialNames.flatMap((name): (readonly [string, string | null])[] => {
    if (isRemoved(values, name)) return [[name, null]]
    return values[name] === '' ? [] : [[name, values[name]]]
  })
  return {
    name: values.name.trim(),
    url: values.url.trim(),
    public_url: orNull(values.public_url),
    user: orNull(values.user),
    periodic_fetch_interval: intervalOf(values.interval.trim()),
    ...Object.fromEntries(credentials),
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** A text that is no number is refused by the service, at its field. */
const intervalOf = (text: string): number | string | null =>
  text === '' ? null : /^\d+$/.test(text) ? Number(text) : text

export const isRemoved = ({ removed }: Pick<RemoteValues, 'removed'>, name: CredentialName): boolean =>
  removed.split(' ').includes(name)

/** Chooses whether a stored credential is removed; its field is then empty. */
export const withRemoved = (values: RemoteValues, name: CredentialName, isOn: boolean): Partial<RemoteValues> => ({
  removed: credentialNames.filter(each => (each === name ? isOn : isRemoved(values, each))).join(' '),
  ...(isOn && { [name]: '' }),
})

/**
 * Credentials that the form asks for: a key for addresses of SSH, a password for all others, and whatever is stored
 * already.
 */
export function credentialsFor(url: string, isStored: (name: CredentialName) => boolean): readonly CredentialName[] {
  const isSsh = /^ssh:\/\//i.test(url.trim()) || /^[^/:]+@[^/:]+:(?!\/\/)/.test(url.trim())
  return credentialNames.filter(name => isStored(name) || (name === 'password') !== isSsh)
}

/** Values without those of credentials, which nobody is shown. */
export const withoutCredentials = (values: Partial<RemoteValues>): Partial<RemoteValues> =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => name !== 'removed' && !credentialNames.some(each => each === name)),
  )
