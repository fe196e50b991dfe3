/** Attributes of a user that a form holds. */
export interface UserForm {
  readonly username: string
  readonly password: string
  readonly display_name: string
  readonly email_address: string
}

export const emptyUser: UserForm = { username: '', password: '', display_name: '', email_address: '' }

/** JSON pointers of the fields in a request. */
export const userPointers = {
  username: '/data/attributes/username',
  password: '/data/attributes/password',
  display_name: '/data/attributes/display_name',
  email_address: '/data/attributes/email_address',
} as const

/** An empty optional text is no text. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
