import { failure } from '../failure.ts'

export const jsonApi = 'application/vnd.api+json'

/** 406 unless the Accept header, if there is one, takes JSON (or CSV, for a download). */
export function checkAccept(header: string | undefined, download: boolean): void {
  if (header === undefined || header.trim() === '') return
  const takes = download ? ['text/csv', 'text/*', '*/*'] : [jsonApi, 'application/json', 'application/*', '*/*']
  const accepted = header.split(',').some(part => {
    const [type = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map(each => each.trim())
    const refused = parameters.some(each => each.startsWith('ext=') || /^q=0(\.0*)?$/.test(each))
    return takes.includes(type) && !refused
  })
  if (accepted) return
  throw failure('not-acceptable', `The answer is ${download ? 'text/csv' : jsonApi}.`, { source: { header: 'accept' } })
}
