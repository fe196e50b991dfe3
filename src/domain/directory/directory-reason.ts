import { ResultCodeError } from 'ldapts'

/** Why the query of the directory failed, in words: `size limit exceeded (4)`, with the server's own message. */
export function directoryReason(error: unknown): string {
  if (error instanceof ResultCodeError) {
    const words = resultCodes[error.code] ?? 'unknown result'
    const said = error.message.replace(/ ?Code: 0x[0-9a-f]+$/i, '').trim()
    const diagnostic = said === '' || said.toLowerCase() === words || said === 'null' ? '' : `: ${said}`
    return `${words} (${error.code})${diagnostic}`
  }
  const { message, code } = error as { message?: string; code?: unknown }
  return [message || String(error), ...(typeof code === 'string' && !message?.includes(code) ? [code] : [])].join(' ')
}

/** Result codes of RFC 4511 and its registered extensions, in words. */
const resultCodes: Readonly<Record<number, string>> = {
  1: 'operations error',
  2: 'protocol error',
  3: 'time limit exceeded',
  4: 'size limit exceeded',
  7: 'authentication method not supported',
  8: 'stronger authentication required',
  10: 'referral to another server',
  11: 'administrative limit exceeded',
  12: 'unavailable critical extension',
  13: 'confidentiality required: set ldap.tls to starttls or ldaps',
  14: 'SASL bind in progress',
  16: 'no such attribute',
  17: 'undefined attribute type',
  18: 'inappropriate matching',
  19: 'constraint violation',
  20: 'attribute or value exists',
  21: 'invalid attribute syntax',
  32: 'no such object: the base of the search, or the entry, does not exist',
  33: 'alias problem',
  34: 'invalid DN syntax',
  36: 'alias dereferencing problem',
  48: 'inappropriate authentication',
  49: 'invalid credentials',
  50: 'insufficient access rights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwilling to perform',
  54: 'loop detected',
  64: 'naming violation',
  65: 'object class violation',
  66: 'not allowed on an entry that has others below it',
  67: 'not allowed on the relative name',
  68: 'entry already exists',
  69: 'object class modifications prohibited',
  70: 'results too large',
  71: 'affects multiple servers',
  80: 'other error',
  118: 'canceled',
  119: 'no such operation',
  120: 'too late',
  121: 'cannot cancel',
  122: 'assertion failed',
  123: 'authorization denied',
}
