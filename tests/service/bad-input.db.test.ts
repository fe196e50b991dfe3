import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client, Sending } from '../support/api.ts'
import { created, fetchedVersion, ran, type Shop, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/**
 * Invalid requests: each gets a clear error with the fault, its place, and what would be right; it has no effect, and
 * the service continues.
 */

let service: TestService
let admin: Client
let made: Shop
/** Values for `{name}` in a path of the tables. */
const ids: Record<string, string> = {}

before(async () => {
  service = await startTestService({ spares: 0 })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.yaml': 'actions: { go: { description: x, run: "true" } }' })
  const { relationships } = (await admin.get(made.asset)).body.data
  ids['properties'] = `/api/properties/${relationships.properties.data.id}`
  ids['settings'] = `/api/settings/${relationships.settings.data.id}`
  ids['asset'] = made.asset
})
after(() => service.stop())

interface Row {
  readonly what: string
  /** Default: GET. */
  readonly method?: string
  readonly path: string
  readonly send?: Sending
  /** Body as text, instead of {"data":{"attributes":…}}. */
  readonly attributes?: string
  readonly answers: number
  readonly code: string
  readonly says: RegExp
  /** pointer, parameter or header of the error. */
  readonly at?: string
}

const projects = '/api/projects'
const type = (mediaType: string) => ({ raw: '{}', headers: { 'content-type': mediaType } })
const malformed = { answers: 400, code: 'malformed-json' } as const
const envelope = { answers: 400, code: 'malformed-envelope' } as const
const nul = { answers: 400, code: 'nul-character', says: /U\+0000 has no place/ } as const
const post = { method: 'POST', path: projects } as const
const patchProperties = { method: 'PATCH', path: '{properties}' } as const

const bodies: Row[] = [
  { what: 'is cut off', ...post, send: { raw: '{"data":' }, ...malformed, says: /Unexpected end/ },
  { what: 'is no UTF-8', ...post, send: { raw: Uint8Array.of(0x7b, 0xff, 0x7d) }, ...malformed, says: /not UTF-8/ },
  { what: 'holds a raw NUL', ...post, attributes: '{"code":"x\0"}', ...malformed, says: /position/ },
  { what: 'is never closed', ...post, send: { raw: '['.repeat(100_000) }, ...malformed, says: /Unexpected end/ },
  { what: 'is an array', ...post, send: { raw: '[]' }, ...envelope, says: /should be an object/, at: '' },
  { what: 'is null', ...post, send: { raw: 'null' }, ...envelope, says: /should be an object/, at: '' },
  { what: 'is missing', ...post, send: { raw: '' }, ...envelope, says: /is missing: \{"data"/ },
  { what: 'has no data', ...post, send: { raw: '{}' }, ...envelope, says: /data is missing/, at: '/data' },
  {
    what: 'has null as data',
    ...post,
    send: { raw: '{"data":null}' },
    ...envelope,
    says: /data is missing/,
    at: '/data',
  },
  { what: 'has a list as data', ...post, send: { raw: '{"data":[]}' }, ...envelope, says: /object/, at: '/data' },
  { what: 'has a list as attributes', ...post, attributes: '[]', ...envelope, says: /object/, at: '/data/attributes' },
  {
    what: 'has members that JSON:API does not know',
    ...post,
    send: { raw: '{"data":{"attributes":{},"colour":1}}' },
    ...envelope,
    says: /no member "colour"; it has type, id/,
    at: '/data/colour',
  },
  {
    what: 'names a thing twice',
    ...post,
    attributes: '{"code":"one","co\\u0064e":"two","name":"x"}',
    ...malformed,
    says: /"code" is given twice/,
    at: '/data/attributes/code',
  },
  {
    what: 'names a thing twice deep in a document',
    ...patchProperties,
    attributes: '{"data":{"a":[{"b":1,"b":2}]}}',
    ...malformed,
    says: /"b" is given twice/,
    at: '/data/attributes/data/a/0/b',
  },
  {
    what: 'is nested 100,000 deep',
    ...post,
    attributes: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    answers: 400,
    code: 'too-deep',
    says: /at most 64 levels/,
    at: `/data/attributes/name${'/0'.repeat(61)}`,
  },
  {
    what: 'is nested 100,000 objects deep',
    ...post,
    send: { raw: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` },
    answers: 400,
    code: 'too-deep',
    says: /at most 64 levels/,
  },
  {
    what: 'is larger than 1 MiB',
    ...post,
    attributes: `{"name":"${'x'.repeat(1024 * 1024)}"}`,
    answers: 413,
    code: 'body-too-large',
    says: /larger than the 1 MiB/,
  },
  {
    what: 'is a document larger than 8 MiB',
    ...patchProperties,
    attributes: `{"data":{"a":"${'x'.repeat(8 * 1024 * 1024)}"}}`,
    answers: 413,
    code: 'body-too-large',
    says: /larger than the 8 MiB/,
  },
  {
    what: 'has a number beyond all numbers',
    ...patchProperties,
    attributes: '{"data":{"a":1e400}}',
    answers: 422,
    code: 'invalid',
    says: /larger than any that is kept: write it as a string/,
    at: '/data/attributes/data/a',
  },
  {
    what: 'has an integer that would lose digits',
    ...patchProperties,
    attributes: '{"data":{"a":[12345678901234567890]}}',
    answers: 422,
    code: 'invalid',
    says: /write it as a string/,
    at: '/data/attributes/data/a/0',
  },
  { what: 'has NUL in a value', ...post, attributes: '{"name":"a\\u0000b"}', ...nul, at: '/data/attributes/name' },
  { what: 'has NUL in a name', ...post, attributes: '{"co\\u0000de":"x"}', ...nul, at: '/data/attributes/co\\u0000de' },
  {
    what: 'has NUL deep in a document',
    ...patchProperties,
    attributes: '{"data":{"a":[{"b":"\\u0000"}]}}',
    ...nul,
    at: '/data/attributes/data/a/0/b',
  },
  {
    what: 'has half a character',
    ...post,
    attributes: '{"name":"\\ud800"}',
    ...malformed,
    says: /surrogate/,
    at: '/data/attributes/name',
  },
  ...['__proto__', 'constructor', 'toString'].map(
    (name): Row => ({
      what: `has an attribute ${name}`,
      ...post,
      attributes: `{"${name}":{"code":"x"},"code":"y","name":"y"}`,
      answers: 400,
      code: 'unknown-attribute',
      says: /It takes code, name, description/,
      at: `/data/attributes/${name}`,
    }),
  ),
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].map(
    (mediaType): Row => ({
      what: `is ${mediaType}`,
      ...post,
      send: type(mediaType),
      answers: 415,
      code: 'unsupported-media-type',
      says: /should be application\/vnd\.api\+json or application\/json, in UTF-8/,
      at: 'content-type',
    }),
  ),
  {
    what: 'is JSON in UTF-16',
    ...post,
    send: type('application/json; charset=utf-16'),
    answers: 415,
    code: 'unsupported-media-type',
    says: /in UTF-8/,
    at: 'content-type',
  },
  {
    what: 'is compressed',
    ...post,
    send: { raw: '{}', headers: { 'content-encoding': 'gzip' } },
    answers: 415,
    code: 'unsupported-media-type',
    says: /without Content-Encoding/,
    at: 'content-encoding',
  },
  {
    what: 'is a JSON Patch where there is no document',
    method: 'PATCH',
    path: '/api/projects/shop',
    send: { raw: '[]', headers: { 'content-type': 'application/json-patch+json' } },
    answers: 415,
    code: 'unsupported-media-type',
    says: /should be/,
    at: 'content-type',
  },
]

const values: Row[] = [
  {
    what: 'of the wrong types',
    ...post,
    attributes: '{"code":17,"name":["x"],"project_type":"Deluxe"}',
    answers: 422,
    code: 'invalid',
    says: /project_type should be one of "Standard", "Enterprise"/,
    at: '/data/attributes/project_type',
  },
  {
    what: 'that is a name of blanks alone',
    ...post,
    attributes: '{"code":"blank","name":" \\u2003\\t"}',
    answers: 422,
    code: 'invalid',
    says: /name should be a text of 1 to 255 characters, not all of them blank/,
    at: '/data/attributes/name',
  },
  ...['Line\\nbreak', 'Bell\\u0007', 'Two\\u2028lines', 'Right\\u202eto left'].map(name => ({
    what: `that is the name ${name}`,
    ...post,
    attributes: `{"code":"unshown","name":"${name}"}`,
    answers: 422,
    code: 'invalid',
    says: /name should be .* on one line, without control characters and marks of direction/,
    at: '/data/attributes/name',
  })),
  ...['changes', 'scheduled_activities'].map(under => ({
    what: `that is the action of one of the ${under}, and runs from right to left`,
    method: 'POST',
    path: `{asset}/${under}`,
    attributes: '{"action":"go\\u202e"}',
    answers: 422,
    code: 'invalid',
    says: /action should be .* on one line, without control characters and marks of direction/,
    at: '/data/attributes/action',
  })),
  {
    what: 'that is what people call a user, on two lines',
    method: 'POST',
    path: '/api/users',
    attributes: '{"username":"ann","password":"long enough a password","display_name":"Ann\\nOperator"}',
    answers: 422,
    code: 'invalid',
    says: /display_name should be .* on one line/,
    at: '/data/attributes/display_name',
  },
  {
    what: 'that is the name of a user with something invisible in it',
    method: 'POST',
    path: '/api/users',
    attributes: '{"username":"adm\\u200bin","password":"long enough a password"}',
    answers: 422,
    code: 'invalid',
    says: /username should be .* anything invisible/,
    at: '/data/attributes/username',
  },
  ...['0001-01-01T00:00:00+15:00', '9999-12-31T23:59:59-15:00'].map(time => ({
    what: `that is the time ${time}, which as UTC lies beyond all years of four digits`,
    method: 'POST',
    path: '{asset}/scheduled_activities',
    attributes: `{"action":"go","run_at":"${time}"}`,
    answers: 422,
    code: 'invalid',
    says: /run_at should be an ISO 8601 time with Z or an offset/,
    at: '/data/attributes/run_at',
  })),
  {
    what: 'that is the path of a rule with a part left empty',
    method: 'POST',
    path: '/api/authorisation_rules',
    attributes: '{"path":"/projects//environments","read":true}',
    answers: 422,
    code: 'invalid',
    says: /path should be \/, or a path such as \/projects\/bank\/environments\/\*/,
    at: '/data/attributes/path',
  },
  {
    what: 'that is the address of a bookmark without https://',
    method: 'POST',
    path: '{asset}/bookmarks',
    attributes: '{"description":"Wiki","url":"wiki.example"}',
    answers: 422,
    code: 'invalid',
    says: /url should be a http:\/\/, https:\/\/ or mailto: address of at most 2048 characters or null/,
    at: '/data/attributes/url',
  },
  {
    what: 'that is a code in the form of an id',
    ...post,
    attributes: '{"code":"01900000-0000-7000-8000-00000000dead","name":"x"}',
    answers: 422,
    code: 'invalid',
    says: /may not have the form of a UUID/,
    at: '/data/attributes/code',
  },
  {
    what: 'that is a code taken in another case',
    ...post,
    attributes: '{"code":"SHOP","name":"x"}',
    answers: 409,
    code: 'code-taken',
    says: /"SHOP" is taken/,
    at: '/data/attributes/code',
  },
  {
    what: 'that is an id of one’s own making',
    ...post,
    send: { raw: '{"data":{"id":"01900000-0000-7000-8000-00000000dead","attributes":{"code":"q","name":"q"}}}' },
    answers: 403,
    code: 'client-id',
    says: /given by the service/,
    at: '/data/id',
  },
  {
    what: 'that is the id of another record than the path’s',
    method: 'PATCH',
    path: '/api/projects/shop',
    send: { raw: '{"data":{"id":"01900000-0000-7000-8000-00000000dead","attributes":{"name":"Not this"}}}' },
    answers: 409,
    code: 'wrong-type',
    says: /not that of the record/,
    at: '/data/id',
  },
  {
    what: 'that is the type of another record',
    method: 'PATCH',
    path: '/api/projects/shop',
    send: { raw: '{"data":{"type":"asset","attributes":{"name":"Not this"}}}' },
    answers: 409,
    code: 'wrong-type',
    says: /of type project, not asset/,
    at: '/data/type',
  },
  {
    what: 'that should be an id',
    method: 'POST',
    path: '/api/policy_rules',
    attributes: '{"authorisation_policy_id":"17","authorisation_rule_id":{}}',
    answers: 422,
    code: 'invalid',
    says: /should be a text of the form uuid/,
    at: '/data/attributes/authorisation_rule_id',
  },
  {
    what: 'that is an action that there is not',
    method: 'POST',
    path: '{asset}/changes',
    attributes: '{"action":"gow"}',
    answers: 422,
    code: 'invalid',
    says: /no action gow .*did you mean go\?/,
    at: '/data/attributes/action',
  },
  {
    what: 'of a change, all of the wrong types',
    method: 'POST',
    path: '{asset}/changes',
    attributes: '{"action":17,"skip_steps":"x","metadata":[],"property_overrides":"x","run_at":"soon"}',
    answers: 422,
    code: 'invalid',
    says: /run_at should be an ISO 8601 time with Z or an offset/,
    at: '/data/attributes/run_at',
  },
  {
    what: 'that is a setting that there is not',
    method: 'PATCH',
    path: '{settings}',
    attributes: '{"data":{"runner.sandbx":true,"__proto__":1}}',
    answers: 422,
    code: 'invalid',
    says: /did you mean "runner\.sandbox"/,
    at: '/data/attributes/data/runner.sandbx',
  },
  {
    what: 'that would run a program in the place of Git',
    method: 'PUT',
    path: '/api/projects/shop/templates/web/versions/9',
    attributes: '{"git_rev":"--upload-pack=id"}',
    answers: 422,
    code: 'invalid',
    says: /does not begin with a hyphen/,
    at: '/data/attributes/git_rev',
  },
  {
    what: 'that is a URL of no protocol that is allowed',
    method: 'POST',
    path: '/api/projects/shop/git_remotes',
    attributes: '{"name":"r","url":"ext::sh"}',
    answers: 422,
    code: 'invalid',
    says: /URL|reached by/,
    at: '/data/attributes/url',
  },
  {
    what: 'that is no header of its kind',
    ...post,
    send: { attributes: { code: 'k', name: 'k' }, headers: { 'idempotency-key': 'x'.repeat(300) } },
    answers: 400,
    code: 'wrong-header',
    says: /1 to 255/,
    at: 'idempotency-key',
  },
  {
    what: 'that is an If-Match of nothing',
    method: 'PATCH',
    path: '/api/projects/shop',
    send: { attributes: { name: 'Not this' }, headers: { 'if-match': 'banana' } },
    answers: 412,
    code: 'precondition-failed',
    says: /no longer holds/,
    at: 'if-match',
  },
]

const wrongKind = { answers: 400, code: 'wrong-kind' } as const
const notFound = { answers: 404, code: 'missing', says: /no such record/ } as const
const queries: Row[] = [
  { what: 'NUL in a value', path: `${projects}?filter[name_eq]=a%00b`, ...nul, at: 'filter[name_eq]' },
  { what: 'NUL in a name', path: `${projects}?filter[na%00me_eq]=a`, ...nul, at: 'filter[na\\0me_eq]' },
  { what: 'NUL in the path', path: `${projects}/a%00b`, ...nul },
  { what: 'NUL for an id', path: '/api/changes/%00', ...nul },
  { what: 'a path that is no UTF-8', path: `${projects}/%ff`, answers: 400, code: 'malformed-query', says: /UTF-8/ },
  { what: 'a broken escape', path: `${projects}?limit=%zz`, answers: 400, code: 'malformed-query', says: /UTF-8/ },
  { what: 'an id that is no UUID', path: '/api/changes/17', ...notFound },
  { what: 'a code longer than any', path: `${projects}/${'x'.repeat(2_000)}`, ...notFound },
  {
    what: 'no code at all',
    path: `${projects}/`,
    answers: 404,
    code: 'no-such-route',
    says: /Is its last "\/" too much/,
  },
  {
    what: 'a node that is not there, named in the body',
    method: 'POST',
    path: '/api/changes',
    attributes: '{"action":"roll","parent_path":"/projects/nowhere"}',
    ...notFound,
    at: '/data/attributes/parent_path',
  },
  {
    what: 'a node that is not there, to be compared with one that is',
    method: 'POST',
    path: '/api/compare_nodes',
    attributes: '{"node_path_a":"/projects/shop","node_path_b":"/projects/nowhere"}',
    ...notFound,
    at: '/data/attributes/node_path_b',
  },
  {
    what: 'a URL longer than any',
    path: `${projects}?filter[name_eq]=${'x'.repeat(200_000)}`,
    answers: 431,
    code: 'headers-too-large',
    says: /128 KiB/,
  },
  { what: 'no such path', path: '/api/project', answers: 404, code: 'no-such-route', says: /openapi\.json lists all/ },
  {
    what: 'a method that it does not take',
    method: 'DELETE',
    path: projects,
    answers: 405,
    code: 'method-not-allowed',
    says: /GET, HEAD, OPTIONS, POST/,
  },
  {
    what: 'a form that there is not',
    path: projects,
    send: { headers: { accept: 'text/html' } },
    answers: 406,
    code: 'not-acceptable',
    says: /application\/vnd\.api\+json/,
    at: 'accept',
  },
  { what: 'a filter by an id that is none', path: '/api/changes?filter[id_eq]=17', ...wrongKind, says: /a UUID/ },
  {
    what: 'a boolean that is none',
    path: `${projects}?filter[archived_eq]=banana`,
    ...wrongKind,
    says: /true or false/,
  },
  { what: 'a time that is none', path: `${projects}?filter[created_at_gt]=noon`, ...wrongKind, says: /ISO 8601/ },
  {
    what: 'a time beyond all time',
    path: `${projects}?filter[created_at_gt]=999999-01-01`,
    ...wrongKind,
    says: /8601/,
  },
  {
    what: 'a time before the first year',
    path: '{asset}/converged_settings?converge_date=0001-01-01T00:00:00%2B15:00',
    answers: 422,
    code: 'invalid',
    says: /converge_date should be an ISO 8601 date/,
    at: 'converge_date',
  },
  { what: 'a number beyond all', path: '/api/steps?filter[attempt_gt]=9e99', ...wrongKind, says: /an integer/ },
  {
    what: 'neither and nor or',
    path: `${projects}?filter[m]=xor`,
    ...wrongKind,
    says: /"and" or "or"/,
    at: 'filter[m]',
  },
  ...['colour_eq', 'name_like', 'name_or_code_cont', '__proto___eq', 'constructor'].map(
    (name): Row => ({
      what: `a filter ${name}`,
      path: `${projects}?filter[${name}]=x`,
      answers: 400,
      code: 'unknown-filter',
      says: /has no attribute|does not end in a predicate/,
      at: `filter[${name}]`,
    }),
  ),
  {
    what: 'a filter on what is encrypted',
    path: '/api/changes?filter[property_overrides_cont]=x',
    answers: 400,
    code: 'attribute-not-filterable',
    says: /is encrypted/,
  },
  ...['__proto__ asc', 'name sideways', 'colour'].map(
    (sort): Row => ({
      what: `sorting by ${sort}`,
      path: `${projects}?filter[sorts]=${encodeURIComponent(sort)}`,
      answers: 400,
      code: 'unknown-sort',
      says: /has no attribute|asc" or/,
      at: 'filter[sorts]',
    }),
  ),
  ...['__proto__', 'constructor', 'colour', 'project.x.y'].map(
    (name): Row => ({
      what: `including ${name}`,
      path: `/api/projects/shop?include=${name}`,
      answers: 400,
      code: 'unknown-include',
      says: /cannot be included\. project has: parents, children/,
      at: 'include',
    }),
  ),
  ...['0', '-1', 'ten', '1.5', '-99999999999999999999'].map(
    (limit): Row => ({
      what: `a limit of ${limit}`,
      path: `${projects}?limit=${limit}`,
      answers: 400,
      code: 'wrong-limit',
      says: /from 1 to 10000/,
      at: 'limit',
    }),
  ),
  ...['limt', '__proto__', 'filter'].map(
    (name): Row => ({
      what: `a parameter ${name}`,
      path: `${projects}?${name}=5`,
      answers: 400,
      code: 'unknown-parameter',
      says: /Known: .*limit/,
      at: name,
    }),
  ),
  {
    what: 'a parameter twice',
    path: `${projects}?limit=5&limit=6`,
    answers: 400,
    code: 'malformed-query',
    says: /limit is given twice/,
    at: 'limit',
  },
  {
    what: 'a cursor of nobody’s',
    path: `${projects}?page[after]=zzz`,
    answers: 400,
    code: 'wrong-cursor',
    says: /links\.next/,
    at: 'page[after]',
  },
]

for (const [kind, rows] of Object.entries({ 'a body that': bodies, 'a value': values, 'a request with': queries }))
  for (const row of rows)
    test(`${kind} ${row.what} is ${row.answers}, and is told why`, async () => {
      const path = row.path.replace(/^\{(\w+)\}/, (_, name) => ids[name]!)
      const raw = row.attributes === undefined ? {} : { raw: `{"data":{"attributes":${row.attributes}}}` }
      const answer = await admin.send(row.method ?? 'GET', path, { ...raw, ...row.send })
      assert.equal(answer.status, row.answers, answer.text.slice(0, 500))
      const faults = answer.body.errors as Fault[]
      const fault = faults.find(({ code, detail, source }) => {
        const place = source?.pointer ?? source?.parameter ?? source?.header
        return code === row.code && row.says.test(detail) && (row.at === undefined || place === row.at)
      })
      assert.ok(fault, answer.text.slice(0, 1_000))
    })

interface Fault {
  code: string
  detail: string
  source?: { pointer?: string; parameter?: string; header?: string }
}

test('nothing of all that was done, nothing of it was a bug, and a change runs as before', async () => {
  const events = async (filter: string) => (await admin.get(`/api/events?limit=1000&${filter}`)).body.data
  assert.deepEqual(await events('filter[type_start]=error:'), [])
  const [newest] = (await events('')).slice(-1)
  assert.equal(newest.attributes.type, 'api:nodes:create', 'the last that was done is the asset that the test made')
  assert.equal((await admin.get('/api/projects/shop')).body.data.attributes.name, 'Shop')
  assert.equal((await ran(admin, made.asset, 'go')).attributes.status_code, 'success')
})

test('names that JavaScript gives a meaning are data in a document, and change nothing else', async () => {
  const data = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"toString":"x"}'
  const answer = await admin.send('PATCH', ids['properties']!, { raw: `{"data":{"attributes":{"data":${data}}}}` })
  assert.equal(answer.status, 200, answer.text)
  const patch = '[{"op":"add","path":"/__proto__/more","value":3}]'
  const patched = await admin.send('PATCH', ids['properties']!, {
    raw: patch,
    headers: { 'content-type': 'application/json-patch+json' },
  })
  assert.equal(patched.status, 200, patched.text)
  assert.ok(patched.text.includes('"__proto__":{"polluted":1,"more":3}'), patched.text)
  const clean = {} as Record<string, unknown>
  assert.deepEqual([clean['polluted'], clean['more']], [undefined, undefined])
})

test('what a value meets (a name that is taken, a newer version, a use) is told before other values are judged', async () => {
  await created(admin.post('/api/projects/shop/workflows', { code: 'taken', name: 'Taken', source_yaml: 'steps: []' }))
  const shop = `${projects}/shop`
  const taken: [path: string, attributes: object][] = [
    [projects, { code: 'SHOP', name: 5 }],
    [`${shop}/environments`, { code: 'Live' }],
    [`${shop}/environments/live/assets`, { code: 'FRONT', name: '' }],
    [`${shop}/templates`, { code: 'Web', name: '', template_type: 'asset', git_remote_name: 'code' }],
    [`${shop}/templates`, { code: 'web', name: 'W', template_type: 'asset', git_remote_name: 'nowhere' }],
    [`${shop}/git_remotes`, { name: 'CODE', url: 5 }],
    [`${shop}/git_remotes`, { name: 'code', url: 'ext::sh' }],
    [`${shop}/workflows`, { code: 'Taken', name: 'Taken' }],
    ['/api/users', { username: 'ADMIN', password: 'short' }],
    ['/api/authorisation_policies', { name: 'Superuser', description: 5 }],
  ]
  const others: [code: string, path: string, attributes: object][] = [
    ['stale-version', ids['properties']!, { data: 5, version: 99 }],
    ['stale-version', ids['settings']!, { data: 5, version: 99 }],
    ['in-use', `${shop}/environments/live`, { archived: true, name: '' }],
  ]
  const told = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    return [status, body.errors.map(({ code }: Fault) => code)]
  }
  for (const [path, attributes] of taken)
    assert.deepEqual(
      await told(admin.post(path, attributes)),
      [409, ['code-taken']],
      `${path} ${JSON.stringify(attributes)}`,
    )
  for (const [code, path, attributes] of others)
    assert.deepEqual(await told(admin.patch(path, attributes)), [409, [code]], `${path} ${JSON.stringify(attributes)}`)
})

test('of many clients that make one name at once one makes it, and the others are told that it is taken', async () => {
  const project = '/api/projects/shop'
  const things: [string, object][] = [
    [projects, { code: 'same', name: 'Same' }],
    [`${project}/environments`, { code: 'same', name: 'Same' }],
    [`${project}/environments/live/assets`, { code: 'same', name: 'x', template_code: 'web', template_version: '1.0' }],
    [`${project}/templates`, { code: 'same', name: 'x', template_type: 'asset', git_remote_name: 'code' }],
    [`${project}/git_remotes`, { name: 'same', url: made.repository.url }],
    ['/api/authorisation_policies', { name: 'same' }],
    ['/api/users', { username: 'same', password: 'a fine password' }],
  ]
  for (const [path, attributes] of things) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => admin.post(path, attributes)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409], path)
    const taken = answers.find(({ status }) => status === 409) as Answer
    assert.equal(taken.body.errors[0].code, 'code-taken')
    assert.match(taken.body.errors[0].source.pointer, /^\/data\/attributes\/(?:code|name|username)$/)
  }
})

test('one version of a template put by many clients at once is made once', async () => {
  const path = '/api/projects/shop/templates/web/versions/together'
  const answers = await Promise.all(Array.from({ length: 6 }, () => admin.put(path, { git_rev: 'main' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201])
  assert.equal((await fetchedVersion(admin, path, 'main')).attributes.state, 'ready')
})

const brokenFiles: [what: string, file: string, says: RegExp][] = [
  ['YAML that is none', 'actions:\n  go:\n    run: "unclosed\n', /actions\.yaml:4:1: Missing closing "quote/],
  ['a tab for blanks', 'actions:\n\tgo: { run: x }\n', /actions\.yaml:2:1: Tabs are not allowed/],
  ['a list for actions', 'actions: [go, stop]\n', /actions\.yaml:1:10: "actions" must hold actions/],
  ['a list for a script', 'actions:\n  go:\n    run: [1]\n', /actions\.yaml:3:10: "run" is a text/],
  [
    'a key that there is not',
    'actions:\n  go:\n    rum: "x"\n',
    /actions\.yaml:3:5: Unknown key "rum"; did you mean "run"/,
  ],
  ['a step that there is not', 'actions:\n  go: { steps: [og] }\n', /actions\.yaml:2:17: .*"og"\. Did you mean "go"/],
  ['a name twice', 'actions:\n  go: { run: x }\n  go: { run: y }\n', /actions\.yaml:3:3: Map keys must be unique/],
  ['a circle', 'actions:\n  a: { steps: [b] }\n  b: { steps: [a] }\n', /actions\.yaml:3:16: .*circle: a → b → a/],
  ['aliases that multiply', bomb(), /actions\.yaml:\d+:\d+: More than 200000 values/],
  ['nothing', '', /actions\.yaml:1:1: The file must have the key "actions:"/],
]

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, i) => `  l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`)
  return `x:\n  l0: &l0 [x]\n${levels.join('\n')}\nactions: { go: { run: "true" } }\n`
}

test('a version whose actions file is broken says why, where and what was meant; what runs of the others goes on', async () => {
  for (const [at, [what, file, says]] of brokenFiles.entries()) {
    const branch = `broken-${at}`
    made.repository.commit({ 'web/actions.yaml': file }, { branch })
    const { attributes } = await fetchedVersion(admin, `/api/projects/shop/templates/web/versions/${branch}`, branch)
    assert.equal(attributes.state, 'broken', what)
    assert.match(attributes.initialization_error, says, what)
  }
  assert.equal((await ran(admin, made.asset, 'go')).attributes.status_code, 'success')
})

test('a version of a branch that there is not is broken, and is well once it names one that there is', async () => {
  const path = '/api/projects/shop/templates/web/versions/nowhere'
  const { attributes } = await fetchedVersion(admin, path, 'no-such-branch')
  assert.equal(attributes.state, 'broken')
  assert.match(attributes.initialization_error, /no branch, tag or commit "no-such-branch"/)
  const onBroken = { code: 'early', name: 'x', template_code: 'web', template_version: 'nowhere' }
  assert.equal((await admin.post('/api/projects/shop/assets', onBroken)).status, 409)
  assert.equal((await fetchedVersion(admin, path, 'main')).attributes.state, 'ready')
  await created(admin.post('/api/projects/shop/assets', onBroken))
})
