import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import type * as client from '../../client/sluice.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService({ spares: 0, users: { ann: [{ path: '/projects', read: true, update: true }] } })
})
after(() => service.stop())

/** The client as a browser loads it: one script. Fails on any import that is not part of the script. */
async function bundled(): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL('../../client/sluice.ts', import.meta.url).pathname],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'sluice',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const external = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
  assert.deepEqual(external, [])
  return outputFiles[0]!.text
}

/** `fetch` with a browser's rules: the cookie jar is out of reach of scripts, and network errors have no details. */
function browserFetch(): typeof fetch {
  const jar = new Map<string, string>()
  const failed = () => new TypeError('Failed to fetch')
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.delete('cookie')
    if (jar.size > 0) headers.set('cookie', [...jar].map(pair => pair.join('=')).join('; '))
    headers.set('sec-fetch-site', 'same-origin')
    const answer = await fetch(input, { ...init, headers }).catch(error => {
      throw error.name === 'AbortError' ? error : failed()
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const shown = new Headers(answer.headers)
    shown.delete('set-cookie')
    const { status } = answer
    return new Response(status === 204 ? null : answer.body, { status, headers: shown })
  }
}

/** The client in a context with browser globals only. */
async function inBrowser(): Promise<typeof client> {
  const globals = {
    ...{ fetch: browserFetch(), URL, URLSearchParams, Headers, Response, AbortController, AbortSignal, DOMException },
    ...{ TextDecoder, TextEncoder, ReadableStream, performance, setTimeout, clearTimeout, btoa, atob },
    // As on a page without TLS, where randomUUID is missing.
    crypto: { getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes) },
  }
  const context = createContext(globals)
  runInContext(await bundled(), context)
  return runInContext('sluice', context)
}

test('the client signs in, writes, lists and follows a stream with nothing but what browsers have', async () => {
  const browser = await inBrowser()
  const { address } = service
  assert.equal(await browser.resumeSession(address), undefined)
  const login = await browser.signIn(address, { user: 'admin', password: passwordOf('admin') })
  assert.deepEqual(Object.keys(login), ['csrfToken'])

  const sluice = browser.connect(address, login)
  const made = await sluice.create<{ name: string }>('/api/projects', {
    code: 'bank',
    name: 'The bänk',
    project_type: 'Enterprise',
  })
  assert.equal(made.attributes.name, 'The bänk')
  assert.equal((await sluice.list('/api/projects')).length, 1)

  const source_yaml = 'steps: [{ type: wait, name: Look }]'
  const workflow = { code: 'look', name: 'Look', source_yaml, draft: false }
  await sluice.create('/api/projects/bank/workflows', workflow)
  const run = await sluice.create('/api/projects/bank/workflows/look/runs')
  const stop = new AbortController()
  const seen: string[] = []
  for await (const batch of sluice.live('/api/activities/live', {}, { stop: stop.signal })) {
    seen.push(...batch.map(({ data }) => (data as client.Resource).id))
    if (seen.includes(run.id)) stop.abort()
  }

  assert.deepEqual(await browser.resumeSession(address), login, 'a page that is loaded again learns the token')
  await sluice.remove('/api/tokens/session')
  assert.equal(await browser.resumeSession(address), undefined)
})

test('a write with the cookie and without the token is refused', async () => {
  const browser = await inBrowser()
  await browser.signIn(service.address, { user: 'ann', password: passwordOf('ann') })
  const forged = browser.connect(service.address, { csrfToken: 'guessed' })
  await assert.rejects(forged.create('/api/projects', { code: 'forged', name: 'x' }), { name: 'Error', status: 403 })
})

test('a request whose connection breaks in a browser is sent again under its key', async t => {
  const keys: unknown[] = []
  const proxy = createServer((asked, answer) => {
    const { method, url: path, headers } = asked
    if (method === 'POST') keys.push(headers['idempotency-key'])
    const passed = httpRequest(new URL(path!, service.address), { method: method!, headers }, answered => {
      // The service has executed the request, and the browser never gets the response.
      if (keys.length === 1) return answer.destroy()
      answer.writeHead(answered.statusCode!, answered.headers)
      return answered.pipe(answer)
    })
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const browser = await inBrowser()
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const sluice = browser.connect(url, { user: 'ann', password: passwordOf('ann') })
  const attributes = { code: 'twice', name: 'Twice', project_type: 'Enterprise' }
  assert.equal((await sluice.create<{ code: string }>('/api/projects', attributes)).attributes.code, 'twice')
  assert.equal(keys.length, 2)
  assert.match(String(keys[0]), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(keys[0], keys[1])
})
