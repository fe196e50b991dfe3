import { type Fault, Refused, Unreachable } from '../client/sluice.ts'
import { plainText } from './plain-text.ts'
import { NotSignedIn, tokenOfEnvironment } from './session.ts'
import { WrongUsage } from './wrong-usage.ts'

/** What went wrong, for people: what was refused, where, and what would be right; and how the program ends then. */
export function inWords(error: unknown): { text: string; status: number } {
  if (error instanceof WrongUsage) return { text: plainText(error.message), status: 2 }
  if (error instanceof Refused) return { text: plainText(refusalText(error)), status: 1 }
  if (error instanceof NotSignedIn || error instanceof Unreachable) return { text: plainText(error.message), status: 1 }
  return { text: plainText(error instanceof Error ? error.message : String(error)), status: 1 }
}

function refusalText({ path, status, faults }: Refused): string {
  // Of several that a command asks for, the one that is not there is to be known.
  const which = status === 404 ? `${path.replace(/^\/api(?=\/)/, '')}: ` : ''
  const lines = faults.map(fault => `${which}${faultText(fault)}`)
  // Whoever just tried to sign in knows; and a login is of no use while a token of the environment goes before it.
  if (status === 401 && path !== '/api/tokens/session')
    lines.push(tokenOfEnvironment() ? 'It is the token in SLUICE_TOKEN that was sent.' : 'Sign in: sluice login')
  return lines.length > 0 ? lines.join('\n') : `The service answered ${status} and did not say why.`
}

function faultText({ id, code, title, detail, source, meta }: Fault): string {
  const where = source?.pointer ? attributeOf(source.pointer) : (source?.parameter ?? source?.header)
  const what = detail ?? title ?? code ?? 'refused'
  const report = code === 'bug' && id ? ` (the service has noted it as ${id})` : ''
  const inUse = Array.isArray(meta?.['in_use']) ? meta['in_use'].map(each => `\n  ${usedBy(each)}`).join('') : ''
  return `${where ? `${where}: ` : ''}${what}${report}${inUse}`
}

/** `/data/attributes/data/web` is `data/web` to whoever typed it. */
const attributeOf = (pointer: string) =>
  pointer
    .replace(/^\/data\/(attributes|relationships|meta)\//, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

const usedBy = (each: unknown) =>
  typeof each === 'object' && each !== null ? Object.values(each).filter(Boolean).join(' ') : String(each)
