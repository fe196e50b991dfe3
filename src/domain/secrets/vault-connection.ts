/** The setting `vault`: a vault with the API of HashiCorp Vault and OpenBao. */
export interface VaultConnection {
  /** `https://vault.example.org:8200` */
  readonly address: string
  readonly auth_method: 'token' | 'userpass'
  readonly token?: string
  readonly user?: string
  readonly password?: string
  /** Mount path of its key-value engine (version 2); `secret` by default. */
  readonly mount_path?: string
  readonly tls?: { readonly verify?: boolean; readonly ca?: string }
}

export const mountOf = ({ mount_path }: VaultConnection): string => (mount_path ?? 'secret').replace(/^\/+|\/+$/g, '')

/** Name of the vault in messages, without credentials. */
export const vaultName = (connection: VaultConnection): string =>
  `${connection.address.replace(/\/+$/, '')} (${mountOf(connection)})`
