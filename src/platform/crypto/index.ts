export { type Keyring, openKeyring, WrongRootKey } from './keyring.ts'
export { rootKey } from './root-key.ts'
