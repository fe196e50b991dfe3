import { documentLimit } from '#platform/documents/document.commands.ts'
import { checkDocument, type JsonObject, textOf } from '#platform/documents/document.ts'
import { Failure, failure } from '#platform/failure.ts'
import { wrongReferences } from '../secrets/index.ts'

/** Path of the owner of a record of properties: rights to the record are checked one segment below. */
export const ownerPath = ({ path }: { path: string }): string => path.replace(/\/properties$/, '')

/**
 * Checks whether this may be stored as properties. A patch can produce a larger document than a body may contain, and a
 * reference to a secret of another node is refused here as it is when it is resolved. Returns the text to be stored.
 *
 * @param owner path of the node or template that it belongs to
 * @param at the pointer of the document in the request
 * @throws Failure with all of its faults
 */
export function checkProperties(data: JsonObject, owner: string, at = '/data/attributes/data'): string {
  checkDocument(data, at)
  const text = textOf(data)
  if (Buffer.byteLength(text) > documentLimit)
    throw failure('body-too-large', `A document holds at most ${documentLimit / 1024 / 1024} MiB.`)
  const [first, ...others] = wrongReferences(data, owner, at).map(({ pointer, why }) => ({
    code: 'invalid' as const,
    detail: why,
    source: { pointer },
  }))
  if (first) throw new Failure([first, ...others])
  return text
}
