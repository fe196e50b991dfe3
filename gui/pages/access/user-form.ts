/** Attributes of a user that a form holds. */
export interface UserForm {
  readonly username: string
  readonly password: string
  readonly display_name: string
  readonly email_address: string
}

export const emptyUser: UserForm = { username: '', password: '', display_name: '', email_address: '' }

/** An empty optional text is no text. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
