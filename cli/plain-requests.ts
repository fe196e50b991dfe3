import type { User } from '../client/generated/api.ts'
import { operations } from '../client/generated/api.ts'
import { matches } from '../client/operation.ts'
import type { Resource } from '../client/sluice.ts'
import { attributesFrom } from './attributes.ts'
import { fromFile, readInput } from './input.ts'
import { documentText } from './output.ts'
import { apiPath } from './place.ts'
import { plainLine } from './plain-text.ts'
import { printResponse } from './print-response.ts'
import type { Terminal } from './terminal.ts'
import { canBeWaitedFor, waitForRecord } from './wait-for-record.ts'
import { WrongUsage } from './wrong-usage.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Sends any request and prints the response: JSON indented (or as YAML), anything else byte for byte. */
export async function callApi(
  terminal: Terminal,
  word: string,
  target: string,
  words: readonly string[],
  options: { data?: string; wait?: boolean },
): Promise<number> {
  const method = word.toUpperCase()
  if (!methods.includes(method)) throw new WrongUsage(`Unknown method "${word}". Use one of ${methods.join(', ')}.`)
  const [pathname = '', query] = target.split('?')
  const path = apiPath(pathname.startsWith('/') ? pathname : `/${pathname}`)
  const operation = operations.find(each => each.method === method && matches(each.path, path))
  const given = { ...fromFile(options.data), ...attributesFrom(words, operation?.attributes ?? {}, readInput) }
  if (method === 'GET') {
    if (options.wait) throw new WrongUsage('--wait cannot be used with GET.')
    await printResponse(terminal, await terminal.sluice.raw(query ? `${path}?${query}` : path))
    return 0
  }
  if (options.wait && !canBeWaitedFor(operation?.answers ?? ''))
    throw new WrongUsage(
      `--wait cannot be used with ${method} ${path}: it is complete as soon as the service responds.`,
    )
  const carries = words.length > 0 || options.data !== undefined
  const answer = await terminal.sluice.send(method, query ? `${path}?${query}` : path, {
    ...(carries && { data: { attributes: given } }),
  })
  if (answer === undefined) return 0
  if (options.wait) return waitForRecord(terminal, answer.data as Resource)
  terminal.write(documentText(answer, terminal.format === 'yaml' ? 'yaml' : 'json'))
  return 0
}

export async function whoAmI({ sluice, format, write }: Terminal): Promise<void> {
  const document = (await sluice.send('GET', '/api/me'))!
  const { attributes } = document.data as Resource<User>
  if (format === 'json' || format === 'yaml') write(documentText(document, format))
  else write(plainLine(`${attributes.username} at ${sluice.url}`).concat('\n'))
}
