import { domainToASCII } from 'node:url'

/** `Ann Example <ann@example.org>`, in its two parts; the name is empty if there is none. */
export interface MailAddress {
  readonly name: string
  readonly address: string
}

const local = '[^\\s@<>()\\[\\],;:"\\\\\\u0000-\\u001f\\u007f]+'
const domain =
  '[^\\s@<>()\\[\\],;:"\\\\\\u0000-\\u001f\\u007f.]+(?:\\.[^\\s@<>()\\[\\],;:"\\\\\\u0000-\\u001f\\u007f.]+)*'
const name = '[^<>"@\\u0000-\\u001f\\u007f\\u0085\\u2028\\u2029]*'

/**
 * Pattern of JSON Schema for one address, with a name before it or without. A second address in the same text is
 * invalid.
 */
export const addressPattern = `^(?:(${name})<(${local}@${domain})>|(${local}@${domain}))$`
/** Words that follow "should be". */
export const addressForm = 'one address, such as ann@example.org or Ann Example <ann@example.org>'

const form = new RegExp(addressPattern, 'u')

/** Parses a mail address (pure). Undefined if the text is none. */
export function readAddress(text: string): MailAddress | undefined {
  const found = form.exec(text)
  if (!found || text.length > 320) return undefined
  return { name: (found[1] ?? '').trim(), address: (found[2] ?? found[3])! }
}

/** Domain of an address, as headers have it. */
export const domainOf = ({ address }: MailAddress): string =>
  domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost'
