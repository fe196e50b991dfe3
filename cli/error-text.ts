import { type Fault, Refused, Unreachable } from '../client/sluice.ts'
import { plainText } from './plain-text.ts'
import { NotSignedIn, tokenOfEnvironment } from './session.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Error message for the user and the exit status of the program. */
export function errorText(error: unknown): { text: string; status: number } {
  if (error instanceof WrongUsage) return { text: plainText(error.message), status: 2 }
  if (error instanceof Refused) return { text: plainText(refusalText(error)), status: 1 }
  if (error instanceof NotSignedIn || error instanceof Unreachable) return { text: plainText(error.message), status: 1 }
  return { text: plainText(error instanceof Error ? error.message : String(error)), status: 1 }
}

function refusalText({ path, status, faults }: Refused): string {
  // A command may request several records; name the one that does not exist.
  const which = status === 404 ? `${path.replace(/^\/api(?=\/)/, '')}: ` : ''
  const lines = faults.map(fault => `${which}${faultText(fault)}`)
  // No hint during sign-in; and a login has no effect while SLUICE_TOKEN takes precedence.
  if (status === 401 && path !== '/api/tokens/session')
    lines.push(tokenOfEnvironment() ? 'The request used the token in SLUICE_TOKEN.' : 'Sign in: sluice login')
  return lines.length > 0 ? lines.join('\n') : `The service responded with status ${status} and gave no reason.`
}

function faultText({ id, code, title, detail, source, meta }: Fault): string {
  const where = source?.pointer ? attributeOf(source.pointer) : (source?.parameter ?? source?.header)
  const what = detail ?? title ?? code ?? 'refused'
  const report = code === 'bug' && id ? ` (error id ${id} in the log of the service)` : ''
  const inUse = Array.isArray(meta?.['in_use']) ? meta['in_use'].map(each => `\n  ${usedBy(each)}`).join('') : ''
  return `${where ? `${where}: ` : ''}${what}${report}${inUse}`
}

/** Shortens a JSON pointer to what the user typed: `/data/attributes/data/web` to `data/web`. */
const attributeOf = (pointer: string) =>
  pointer
    .replace(/^\/data\/(attributes|relationships|meta)\//, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

const usedBy = (each: unknown) =>
  typeof each === 'object' && each !== null ? Object.values(each).filter(Boolean).join(' ') : String(each)
