import { isIP } from 'node:net'
import { FilterParser } from 'ldapts'

/** Faults in values of the settings ldap.*, in sentences, found when they are written and not at the next sign-in. */

export function hostFault(host: string): string | undefined {
  if (isIP(host) !== 0 || (hostName.test(host) && !numbersOnly.test(host))) return undefined
  const own = /^(?:[a-z]+:\/\/)?(?<host>\[[0-9a-f:.]+\]|[^:/[\]\s]+)(?::\d+)?\/?$/i.exec(host)?.groups?.['host']
  const meant = own?.replace(/^\[|\]$/g, '')
  const instead = meant !== undefined && meant !== host && hostFault(meant) === undefined ? `: write "${meant}"` : ''
  return `ldap.host should be the name or address of a host alone, such as directory.example.com${instead}. ldap.tls says how it is reached, and ldap.port where.`
}

const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i
/** Pattern of a malformed address: 10.0.0.256. */
const numbersOnly = /^[\d.]+$/

export function filterFault(filter: string): string | undefined {
  const why = unreadable(filter)
  return (
    why &&
    `ldap.user_filter should be a filter of LDAP, such as (objectClass=person) or (&(objectClass=user)(!(disabled=TRUE))): ${why}`
  )
}
/**
 * The parser closes unclosed parentheses at the end by itself, and would search with another filter than the written
 * one.
 */
function unreadable(filter: string): string | undefined {
  const [opened, closed] = [filter.split('(').length, filter.split(')').length]
  if (opened !== closed) return `it has ${opened - 1} "(" and ${closed - 1} ")".`
  try {
    FilterParser.parseString(filter)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Fault of a base, also of one below `ldap.base_dn`. */
export function baseFault(base: string): string | undefined {
  if (relativeNames.test(base)) return undefined
  return 'This should be a distinguished name, such as ou=people,dc=example,dc=com: parts of the form type=value with a comma between them.'
}

const part =
  '\\s*(?:[a-z][a-z0-9-]*|(?:oid\\.)?\\d+(?:\\.\\d+)+)\\s*=(?:[^\\\\",;+]|\\\\[\\s\\S]|"(?:[^"\\\\]|\\\\[\\s\\S])*")*'
const relativeNames = new RegExp(`^${part}(?:[,;+]${part})*$`, 'i')

export function attributeFault(name: string): string | undefined {
  if (/^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)+)$/i.test(name)) return undefined
  return `This should be the name of an attribute, such as uid or sAMAccountName, not ${JSON.stringify(name)}.`
}
