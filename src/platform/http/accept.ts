import { failure } from '../failure.ts'

export const jsonApi = 'application/vnd.api+json'

export const eventStream = 'text/event-stream'

const csvForms = ['text/csv', 'text/*', '*/*']
const textForms = ['text/plain', 'text/*', '*/*']
const jsonForms = [jsonApi, 'application/json', 'application/*', '*/*']

/** 406 unless the Accept header, if there is one, takes JSON. */
export const checkAccept = (header: string | undefined): void => check(header, jsonApi, jsonForms)

/** Form of the response of a list: a document, or a file of one of two forms. */
export type ListForm = 'document' | DownloadForm
export type DownloadForm = 'csv' | 'text'

/** Names of files that hold plain text. */
const textFile = /\.(txt|log)$/i

/**
 * The form of a list that a request asks for, by its Accept header and the name of its file. A client that takes several
 * forms alike gets the document, since a typed client names every form that there is; of a download, CSV, unless the name
 * of the file ends in `.txt` or `.log`.
 *
 * @param hasText whether the list has a form of plain text
 * @throws Failure `not-acceptable` where the header takes none of the forms that are possible
 */
export function listForm(
  header: string | undefined,
  { download, hasText }: { download: string | undefined; hasText: boolean },
): ListForm {
  const csv = { form: 'csv', type: 'text/csv', forms: csvForms } as const
  const text = { form: 'text', type: 'text/plain', forms: textForms } as const
  const files = !hasText ? [csv] : download !== undefined && textFile.test(download) ? [text, csv] : [csv, text]
  const document = { form: 'document', type: jsonApi, forms: jsonForms } as const
  const possible = download === undefined ? [document, ...files] : files
  const first = possible[0]!
  if (header === undefined || header.trim() === '') return first.form
  const best = possible.reduce((one, other) =>
    quality(header, other.forms) > quality(header, one.forms) ? other : one,
  )
  check(header, first.type, best.forms)
  return best.form
}

/**
 * The media type that a request prefers, the first of those that it accepts equally.
 *
 * @throws Failure `not-acceptable` where the header accepts none of them
 */
export function preferredType(header: string | undefined, types: readonly string[]): string {
  const first = types[0]!
  if (header === undefined || header.trim() === '') return first
  const formsOf = (type: string) => [type, type.replace(/\/.*/, '/*'), '*/*']
  const best = types.reduce((one, other) =>
    quality(header, formsOf(other)) > quality(header, formsOf(one)) ? other : one,
  )
  check(header, types.join(' or '), formsOf(best))
  return best
}

/** Quality of these forms in the header, of which the more exact ones come first: 0 is not acceptable. */
function quality(header: string, forms: readonly string[]): number {
  const wanted = header.split(',').map(part => {
    const [type = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map(each => each.trim())
    const q = Number(parameters.find(each => each.startsWith('q='))?.slice(2) ?? 1)
    return { type, q: Number.isFinite(q) ? q : 1 }
  })
  for (const form of forms) {
    const found = wanted.filter(({ type }) => type === form)
    if (found.length > 0) return Math.max(...found.map(({ q }) => q))
  }
  return 0
}

/** 406 unless the Accept header, if there is one, takes server-sent events. */
export const checkAcceptOfStream = (header: string | undefined): void =>
  check(header, eventStream, [eventStream, 'text/*', '*/*'])

/** 415 for a body that is compressed: its limit would say nothing. */
export function checkEncoding(header: string | undefined): void {
  if (header === undefined || ['', 'identity'].includes(header.trim().toLowerCase())) return
  throw failure('unsupported-media-type', 'A body comes as it is, without Content-Encoding.', {
    source: { header: 'content-encoding' },
  })
}

function check(header: string | undefined, form: string, takes: readonly string[]): void {
  if (header === undefined || header.trim() === '') return
  const accepted = header.split(',').some(part => {
    const [type = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map(each => each.trim())
    const refused = parameters.some(each => each.startsWith('ext=') || /^q=0(\.0*)?$/.test(each))
    return takes.includes(type) && !refused
  })
  if (accepted) return
  throw failure('not-acceptable', `The answer is ${form}.`, { source: { header: 'accept' } })
}
