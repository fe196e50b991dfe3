import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { everything, prepareSpecimens, specimenEvents, specimensDomain } from '../../../tests/contract/specimen.ts'
import { startTestApi } from '../../../tests/support/api.ts'
import { placeholderPages, readPages } from './static-pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'pages-'))
const script = 'export const steps = 1\n'.repeat(100)
const index = '<!doctype html><script type="module" src="/assets/index-B1nd7aQx.js"></script>'
mkdirSync(join(folder, 'pages/assets'), { recursive: true })
writeFileSync(join(folder, 'secret.txt'), 'beside the pages')
writeFileSync(join(folder, 'pages/index.html'), index)
writeFileSync(join(folder, 'pages/.env'), 'hidden')
writeFileSync(join(folder, 'pages/favicon.svg'), '<svg/>')
writeFileSync(join(folder, 'pages/assets/index-B1nd7aQx.js'), script)
writeFileSync(join(folder, 'pages/assets/index-B1nd7aQx.js.br'), brotliCompressSync(script))
writeFileSync(join(folder, 'pages/assets/index-B1nd7aQx.js.gz'), gzipSync(script))
const asset = '/assets/index-B1nd7aQx.js'

const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users: { admin: everything },
  prepare: prepareSpecimens,
  pages: readPages(join(folder, 'pages')),
})
after(async () => {
  await api.stop()
  rmSync(folder, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Sends the path as it is; `fetch` would normalize it. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(api.address)
  const sent = request({ hostname, port, path, method, headers, agent: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode!, headers: answer.headers, body: await buffer(answer) }
}

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const isPage = ({ status, body }: Answer) => status === 200 && body.toString() === index
const apiPolicy = "default-src 'none'; frame-ancestors 'none'"

function isNotFound({ status, headers, body }: Answer, path: string): void {
  assert.equal(status, 404, path)
  assert.match(headers['content-type']!, /^application\/vnd\.api\+json/, path)
  assert.equal(JSON.parse(body.toString()).errors[0].code, 'no-such-route', path)
  if (!path.startsWith('/api-docs')) assert.equal(headers['content-security-policy'], apiPolicy, path)
}

test('the index answers at / and at the routes of the application', async () => {
  for (const path of ['/', '/login', '/projects/bank/assets/web', '/activities?status=error', '/projects%2Fbank'])
    assert.ok(isPage(await get(path, html)), path)
  assert.ok(isPage(await get('/')), 'whatever is accepted')
})

test('wrong paths of the API and of other routes stay JSON:API 404, however they are written', async () => {
  const paths = ['/api', '/api/nothing', '/api/specimens/x/y', '/api-docs/x', '/%61pi/nothing', '/api%2Fnothing']
  for (const path of [
    ...paths,
    '/x/../api/nothing',
    '/api/../login',
    '//api/nothing',
    '/x/%2e%2e/y',
    '/x%5Cy',
    '/x%00y',
  ])
    isNotFound(await get(path, html), path)
})

test('a program that asks for a path that does not exist gets JSON:API 404, and so does a missing asset', async () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
    isNotFound(await get('/projects/bank', headers as Record<string, string>), '/projects/bank')
  isNotFound(await get('/assets/index-0ldHash0.js', html), 'an asset of an earlier build')
  isNotFound(await get('/projects/bank', html, 'POST'), 'POST')
})

test('no path leads out of the folder or to hidden files', async () => {
  const paths = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/../../secret.txt', '/.env']
  for (const path of [...paths, '/assets/..%2f..%2fsecret.txt', '/..%5csecret.txt', '//etc/passwd', `${asset}/`]) {
    const answer = await get(path)
    isNotFound(answer, path)
  }
})

test('pages and the API have each their own policy', async () => {
  for (const path of ['/', asset]) {
    const { headers } = await get(path)
    const policy = String(headers['content-security-policy'])
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*require-trusted-types-for 'script'$/,
    )
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.match(String(headers['permissions-policy']), /camera=\(\)/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
  for (const path of ['/api/specimens', '/api/openapi.json'])
    assert.equal((await get(path, html)).headers['content-security-policy'], apiPolicy, path)
  assert.match(String((await get('/api-docs')).headers['content-security-policy']), /style-src 'unsafe-inline'/)
})

test('hashed names are cached for ever, everything else is validated', async () => {
  assert.equal((await get(asset)).headers['cache-control'], 'public, max-age=31536000, immutable')
  for (const path of ['/', '/index.html', '/favicon.svg', '/login'])
    assert.equal((await get(path, html)).headers['cache-control'], 'no-cache', path)
})

test('a file comes precompressed as the client accepts it', async () => {
  const types = async (accepted?: string) => {
    const { headers, body } = await get(asset, accepted === undefined ? {} : { 'accept-encoding': accepted })
    assert.equal(headers['vary'], 'accept-encoding')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    return [headers['content-encoding'], body, headers['etag']] as const
  }
  const [br, brotli, ofBrotli] = await types('gzip, deflate, BR')
  const [gz, gzip, ofGzip] = await types('gzip;q=0.5')
  const [plain, text, ofText] = await types('br;q=0, gzip;q=0.0')
  assert.deepEqual([br, gz, plain], ['br', 'gzip', undefined])
  assert.deepEqual([brotliDecompressSync(brotli), gunzipSync(gzip), text].map(String), [script, script, script])
  assert.equal(new Set([ofBrotli, ofGzip, ofText]).size, 3)
  assert.equal((await types())[0], undefined)
})

test('HEAD answers as GET does, without the body', async () => {
  for (const path of ['/', asset, '/login']) {
    const [head, whole] = [await get(path, html, 'HEAD'), await get(path, html)]
    const { date: _, connection: __, ...headers } = head.headers
    const { date: ___, connection: ____, ...expected } = whole.headers
    assert.deepEqual([head.status, head.body.length, headers], [200, 0, expected], path)
  }
})

test('what a client has already is answered with 304', async () => {
  const { headers } = await get(asset)
  for (const known of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
    const answer = await get(asset, { 'if-none-match': known })
    assert.deepEqual([answer.status, answer.body.length, answer.headers.etag], [304, 0, headers.etag], known)
  }
  assert.equal((await get(asset, { 'if-none-match': '"other"' })).status, 200)
})

test('a range of a file is answered with 206, an impossible one with 416, and others with the whole', async () => {
  const { length } = script
  const { etag } = (await get(asset)).headers
  const range = async (value: string, more = {}) => {
    const { status, headers, body } = await get(asset, { range: value, ...more })
    return [status, headers['content-range'], body.toString()]
  }
  assert.deepEqual(await range('bytes=0-5'), [206, `bytes 0-5/${length}`, 'export'])
  assert.deepEqual(await range('bytes=-2'), [206, `bytes ${length - 2}-${length - 1}/${length}`, '1\n'])
  assert.deepEqual(await range(`bytes=${length - 2}-`), [206, `bytes ${length - 2}-${length - 1}/${length}`, '1\n'])
  assert.deepEqual(await range(`bytes=${length - 2}-${10 * length}`), await range('bytes=-2'))
  assert.deepEqual(await range('bytes=0-5', { 'if-range': etag }), await range('bytes=0-5'))
  for (const beyond of [`bytes=${length}-`, 'bytes=-0'])
    assert.deepEqual(await range(beyond), [416, `bytes */${length}`, ''], beyond)
  for (const odd of ['bytes=5-0', 'bytes=-', 'lines=0-5', 'bytes=0-1,3-4', 'bytes=x-'])
    assert.deepEqual(await range(odd), [200, undefined, script], odd)
  assert.deepEqual(await range('bytes=0-5', { 'if-range': '"old"' }), [200, undefined, script])
})

test('without a build / leads to the documentation, and nothing else is a page', async t => {
  assert.equal(readPages(join(folder, 'nowhere')), undefined)
  const bare = await startTestApi({
    domains: [specimensDomain],
    events: specimenEvents,
    users: {},
    prepare: prepareSpecimens,
  })
  t.after(() => bare.stop())
  const answer = await fetch(bare.address)
  assert.equal(answer.status, 200)
  assert.equal(await answer.text(), String(placeholderPages.files.get('/index.html')!.representations[0]!.body))
  const other = await fetch(`${bare.address}/login`, { headers: html })
  assert.deepEqual([other.status, other.headers.get('content-type')], [404, 'application/vnd.api+json'])
})
