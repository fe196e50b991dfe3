import { bodyLimits, plainLists, predicates, queryLimits } from '../contract/specification/lists.ts'
import type { Client } from '../support/api.ts'
import type { Judged } from './judge-record.ts'

/** The grammar of lists and the limits of requests, tested on lists of the product. */
export async function judgeGrammar(client: Client): Promise<Judged> {
  const judged: Judged = new Map()
  const expect = async (row: string, status: number | readonly number[], query: string) => {
    const answer = await client.get(query)
    judged.set(row, [status].flat().includes(answer.status) ? undefined : `${query} answers ${answer.status}`)
  }
  for (const predicate of predicates) {
    const column = /^(true|false)$/.test(predicate) ? 'archived' : /^[lg]t/.test(predicate) ? 'created_at' : 'name'
    const value = /^(null|not_null|present|blank|true|false)$/.test(predicate) ? '1' : '2020-01-01T00:00:00.000000Z'
    const many = /_(any|all)$|^(not_)?in$/.test(predicate) ? '[]' : ''
    await expect(`predicate.${predicate}`, 200, `/api/projects?filter[${column}_${predicate}]${many}=${value}`)
  }
  const repeated = (count: number, one: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => one(at)).join('&')
  const names = [
    'code',
    'name',
    'description',
    'archived',
    'created_by',
    'created_at',
    'updated_at',
    'project_type',
    'id',
  ]
  const distinct = (count: number) =>
    `/api/projects?${repeated(count, at => `filter[${names[at % names.length]}_${['null', 'not_null', 'present', 'blank'][Math.floor(at / names.length)]}]=1`)}`
  await expect('filters.most', 200, distinct(queryLimits.filters))
  await expect('filters.more', 400, distinct(queryLimits.filters + 1))
  const values = (count: number) => `/api/projects?${repeated(count, at => `filter[code_in][]=a${at}`)}`
  await expect('values.most', 200, values(queryLimits.values))
  await expect('values.more', 400, values(queryLimits.values + 1))
  const sorts = (count: number) => `/api/projects?${repeated(count, at => `filter[sorts][]=${names[at]}`)}`
  await expect('sorts.most', 200, sorts(queryLimits.sorts))
  await expect('sorts.more', 400, sorts(queryLimits.sorts + 1))
  await expect('m.or', 200, '/api/projects?filter[m]=or&filter[code_eq]=bank&filter[name_eq]=Plain')
  await expect('m.other', 400, '/api/projects?filter[m]=xor')
  for (const limit of ['0', '-1', 'x', '1.5', '']) await expect(`limit.${limit}`, 400, `/api/projects?limit=${limit}`)
  await expect('limit.capped', 200, '/api/projects?limit=999999')
  await expect('total', 200, '/api/projects?total=true')
  await expect('null_character', 400, '/api/projects?filter[name_eq]=a%00b')
  await expect('two_attributes', 400, '/api/projects?filter[name_or_code_cont]=a')
  await expect('boolean.banana', 400, '/api/projects?filter[archived_eq]=banana')
  for (const truthy of ['true', 't', '1', 'yes', 'on'])
    await expect(`truthy.${truthy}`, 200, `/api/bookmarks?filter[mine]=${truthy}`)
  const unknown = '00000000-0000-7000-8000-000000000000'
  for (const list of plainLists) {
    const path = `${list}?${list.split('/')[2]!.replace('_versions', '')}_id=${unknown}`
    await expect(`${list}.filter`, 400, `${path}&filter[version_eq]=1`)
    await expect(`${list}.sort`, 400, `${path}&filter[sorts]=version`)
  }
  return judged
}

/** Bodies that are too large or too deep are refused before anything is done. */
export async function judgeBodies(client: Client, documents: readonly string[]): Promise<Judged> {
  const judged: Judged = new Map()
  const data = (attributes: string) => `{"data":{"attributes":${attributes}}}`
  const expect = async (row: string, status: number, method: string, path: string, raw: string) => {
    const answer = await client.send(method, path, { raw })
    judged.set(row, answer.status === status ? undefined : `${method} ${path} answers ${answer.status}, not ${status}`)
  }
  const long = (bytes: number) => 'x'.repeat(bytes)
  const described = data(`{"name":"Bank","description":"${long(bodyLimits.usual)}"}`)
  await expect('body.usual', 413, 'PATCH', '/api/projects/bank', described)
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  for (const document of documents) {
    await expect(
      `${document}.too_large`,
      413,
      'PATCH',
      document,
      data(`{"data":{"a":"${long(bodyLimits.documents)}"}}`),
    )
    await expect(`${document}.too_deep`, 400, 'PATCH', document, data(`{"data":${nested(bodyLimits.nesting + 1)}}`))
  }
  return judged
}
