import type { AnyCommand } from './command.ts'
import type { Incoming } from './incoming.ts'

const longest = 4_096

/** Parameters that only affect how the response is shown. */
const general = /^(include|fields\[.*)$/

/** Attributes of every event that a command records, its own and further ones: the request and its origin. */
export const requestAttributes = (
  { method, path }: Pick<Incoming, 'method' | 'path'>,
  remoteAddress: string | null,
): Record<string, unknown> => ({ request_method: method, request_path: cut(path), remote_address: remoteAddress })

/**
 * Attributes of the command's own event: origin of the request, its path parameters, and the few values of its body
 * that the command names. No other part of a body is ever copied: values that are encrypted elsewhere would be readable
 * here.
 */
export function eventAttributes(
  command: AnyCommand,
  incoming: Incoming,
  remoteAddress: string | null,
): Record<string, unknown> {
  const attributes = requestAttributes(incoming, remoteAddress)
  for (const name of command.eventBody) {
    const value = incoming.body.attributes[name]
    if (value !== undefined) attributes[`request_body_${name}`] = cut(value)
  }
  for (const [name, value] of Object.entries({ ...incoming.query, ...incoming.params })) {
    if (general.test(name)) continue
    attributes[`url_params_${name}`] = cut(value)
  }
  return attributes
}

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= longest ? value : `${text.slice(0, longest).toWellFormed()}…`
}
