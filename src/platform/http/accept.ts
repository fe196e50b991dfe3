import { failure } from '../failure.ts'

export const jsonApi = 'application/vnd.api+json'

export const eventStream = 'text/event-stream'

const csvForms = ['text/csv', 'text/*', '*/*']
const jsonForms = [jsonApi, 'application/json', 'application/*', '*/*']

/** 406 unless the Accept header, if there is one, takes JSON (or CSV, for a download). */
export const checkAccept = (header: string | undefined, download: boolean): void =>
  download ? check(header, 'text/csv', csvForms) : check(header, jsonApi, jsonForms)

/**
 * Whether the Accept header would rather have a list as CSV. Who takes both alike gets the document: a client with types
 * names all forms that there are.
 */
export function wantsCsv(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return false
  return quality(header, csvForms) > quality(header, jsonForms)
}

/** How much the header wants one of these forms, of which the more exact ones come first: 0 is not at all. */
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
