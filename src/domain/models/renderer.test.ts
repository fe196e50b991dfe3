import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderInThread } from './renderer.adapter.ts'

const given = {
  name: 'Tom "the cat" \\ O\'Neill\nof Paris',
  size: 7,
  on: false,
  none: null,
  hosts: ['a', 'b'],
  deep: { x: [1, { y: 2 }] },
  ['__proto__x']: 1,
}

const render = (template: string, { properties = JSON.stringify(given), seconds = 300 } = {}) =>
  renderInThread({ template, properties, context: '{"asset":{"code":"front"}}', seconds }, new AbortController().signal)

async function dataOf(template: string): Promise<Record<string, unknown>> {
  const rendered = await render(template)
  assert.ok('data' in rendered, 'error' in rendered ? rendered.error : '')
  return JSON.parse(rendered.data)
}

async function errorOf(template: string, options?: { properties?: string; seconds?: number }): Promise<string> {
  const rendered = await render(template, options)
  assert.ok('error' in rendered, JSON.stringify(rendered).slice(0, 200))
  return rendered.error
}

test('tags loop, choose and write properties and context, texts so that nothing breaks out of its quotes', async () => {
  const data = await dataOf(`{
  <%# a comment with a ' in it %>
  "actions": [
  <% for (const [at, host] of properties.hosts.entries()) { -%>
    <%= at > 0 ? ',' : '' %>{ "action": "restart_<%= host %>", "run": "true" }
  <% } // the loop %>
  ],
  "name": "<%= properties.name %>", "size": <%= properties.size %>, "on": <%= properties.on %>,
  "none": <%= properties.none %>, "deep": <%= properties.deep %>,
  "raw": <%- JSON.stringify(properties.hosts) %>, "of": "<%= context.asset.code %>", "tag": "<%% no tag"
}`)
  assert.deepEqual(data, {
    actions: [
      { action: 'restart_a', run: 'true' },
      { action: 'restart_b', run: 'true' },
    ],
    name: given.name,
    size: 7,
    on: false,
    none: null,
    deep: given.deep,
    raw: given.hosts,
    of: 'front',
    tag: '<% no tag',
  })
})

test('a key called __proto__ is data', async () => {
  const properties = '{"__proto__": {"polluted": true}, "constructor": 3}'
  const rendered = await render(
    '{"actions": [], "all": <%= properties %>, "own": <%= Object.keys(properties) %>, "polluted": <%= {}.polluted === true %>}',
    { properties },
  )
  assert.ok('data' in rendered)
  assert.equal(
    rendered.data,
    `{"actions":[],"all":{"__proto__":{"polluted":true},"constructor":3},"own":["__proto__","constructor"],"polluted":false}`,
  )
})

test('of a property that a template reads as JSON, and that is none, the place is told and not the text', async () => {
  const properties = JSON.stringify({ text: '{"password": the-marked-word}', json: '{"a":[1,2]}' })
  assert.equal(
    await errorOf('{\n<% JSON.parse(properties.text) %>}', { properties }),
    'model.json.erb:2: SyntaxError: The text is not JSON: it breaks off at its line 1, column 14.',
  )
  const rendered = await render(
    `{"actions": [], "a": <%= JSON.parse(properties.json) %>,
      "b": <%= JSON.parse(properties.json, (key, value) => typeof value === 'number' ? value + 1 : value) %>}`,
    { properties },
  )
  assert.ok('data' in rendered)
  assert.deepEqual(JSON.parse(rendered.data), { actions: [], a: { a: [1, 2] }, b: { a: [2, 3] } })
})

test('what is wrong is told with the line of the template', async () => {
  assert.equal(
    await errorOf('{\n"actions": [],\n"x": "<%= properties.missing %>"}'),
    'model.json.erb:3: TypeError: The value is undefined, which JSON does not have.',
  )
  assert.match(await errorOf('{\n\n<% if ( { %>\n}'), /^model\.json\.erb:3: SyntaxError: /)
  assert.match(
    await errorOf('{"a": 1,\n<% throw new Error("no such\\nhost") %>}'),
    /^model\.json\.erb:2: Error: no such\nhost$/,
  )
  assert.equal(await errorOf('{\n<% let a = 1\n}'), 'model.json.erb:2: A "<%" is opened here and never closed by "%>".')
  assert.match(await errorOf('<% throw null %>'), /It threw object: null/)
})

test('a result that is no model is refused, and its values are not told', async () => {
  const secret = JSON.stringify({ password: 'hunter2hunter2' })
  const broken = await errorOf('{"actions": [],\n "password": <%- properties.password %>}', { properties: secret })
  assert.match(broken, /^The rendered text is not JSON: it breaks off at its line 2, column 14\.$/)
  assert.match(await errorOf('[]'), /not an object/)
  assert.match(await errorOf(''), /it is empty/)
  assert.match(await errorOf('{"data": 1}'), /has no "actions"/)
  assert.match(await errorOf('{"actions": [], "x": 12345678901234567890}'), /beyond 2\^53.*\/x/)
  assert.match(await errorOf('{"actions": [], "x": 3.14159265358979323846}'), /loses digits.*\/x/)
  assert.match(await errorOf('{"actions": [], "x": 1, "x": 2}'), /"x" is given twice/)
})

test('what a template logs is kept, within bounds', async () => {
  const { logs } = await render(
    '{"actions": []}<% console.log("size", properties.size, [1]); console.warn("x".repeat(9000)); for (let i = 0; i < 2000; i++) console.error(i) %>',
  )
  assert.deepEqual(logs[0], { category: 'info', message: 'size 7 [1]' })
  assert.equal(logs[1]!.message.length, 4_096)
  assert.equal(logs.length, 1_001)
})

for (const [what, template] of Object.entries({
  'an endless loop': '<% for (;;) {} %>',
  'an endless loop that catches everything': '<% for (;;) { try { for (;;) {} } catch {} } %>',
  'a regular expression that backtracks for ever': '<% /^(a+)+$/.test("a".repeat(64) + "b") %>',
  'an endless getter in what it throws': '<% throw { get name() { for (;;) {} } } %>',
  'an endless toJSON': '{"actions": <%= { toJSON() { for (;;) {} } } %>}',
}))
  test(`${what} is ended`, async () => {
    assert.equal(await errorOf(template, { seconds: 0.3 }), 'The model was not rendered within 0.3 s.')
  })

for (const [what, template] of Object.entries({
  'a string of 4 GB': '<% let s = "x".repeat(1 << 20); for (;;) s += s %>',
  'an array of everything': '<% const all = []; for (;;) all.push(new Uint8Array(1 << 20)) %>',
  'a text with U+0000': '{"actions": []}<%- "\\0" %>',
  'a buffer of 3 GB': '<% new ArrayBuffer(3 * 1024 ** 3) %>',
  'a recursion without end': '<% (function f(n) { return f(n + 1) + 1 })(0) %>',
  'a document nested 200 000 deep': '{"actions": <%- "[".repeat(200000) + "]".repeat(200000) %>}',
  'a result of 9 MB': '{"actions": [], "x": "<%= "x".repeat(9_000_000) %>"}',
  'a result of 9 MB in pieces':
    '{"actions": [], "x": "<% for (let i = 0; i < 9000; i++) { %><%= "x".repeat(1000) %><% } %>"}',
}))
  test(`${what} fails the model and nothing else`, async () => {
    const error = await errorOf(template)
    assert.match(error, /memory|stack|characters|deep|too long|invalid array buffer length|U\+0000|not JSON/)
  })

test('there is no way out of the interpreter', async () => {
  const data = await dataOf(`{"actions": [], "seen": <%=
    [
      typeof process, typeof require, typeof module, typeof fetch, typeof XMLHttpRequest, typeof Deno, typeof WebAssembly,
      typeof setTimeout, typeof Worker, typeof Buffer, typeof globalThis.std, typeof globalThis.os, typeof $log,
      typeof Function('return this')().process,
      typeof (async () => {}).constructor('return this'),
      typeof console.log.constructor('return typeof process')(),
      console.log.constructor('return typeof process')(),
      typeof [].constructor.constructor('return globalThis.process')(),
    ]
  %>}`)
  const seen = data['seen'] as string[]
  assert.deepEqual(new Set(seen.slice(0, 13)), new Set(['undefined']))
  assert.deepEqual(seen.slice(13), ['undefined', 'function', 'string', 'undefined', 'undefined'])
})

test('modules, files and the environment are out of reach', async () => {
  assert.match(await errorOf('<% import fs from "fs" %>'), /SyntaxError/)
  process.env['SLUICE_MODEL_CANARY'] = 'canary-in-the-environment'
  const own = readFileSync(import.meta.filename, 'utf8').slice(0, 40)
  const data = await dataOf(`{"actions": [], "seen": "<%
    let seen = []
    for (const name of ['fs', 'node:fs', 'process', 'os', 'std', '/etc/passwd', './renderer.test.ts', 'data:text/javascript,export default 1'])
      import(name).then(m => { seen.push(name) }, e => {})
    const look = (value, depth, known = new Set()) => {
      if (depth > 6 || (typeof value !== 'object' && typeof value !== 'function') || value === null || known.has(value)) return
      known.add(value)
      for (const key of Reflect.ownKeys(value)) {
        try { const v = value[key]; if (typeof v === 'string') seen.push(v); look(v, depth + 1, known) } catch {}
      }
      look(Object.getPrototypeOf(value), depth + 1, known)
    }
    look(globalThis, 0)
  %><%= seen.join(' ') %>"}`)
  const seen = String(data['seen'])
  for (const text of ['canary-in-the-environment', own, process.cwd(), 'export default'])
    assert.ok(!seen.includes(text), text)
  delete process.env['SLUICE_MODEL_CANARY']
})

test('a template that changes the language harms its own result only', async () => {
  const error = await errorOf(`<%
    Object.prototype.then = 1; Array.prototype.join = () => 'x'; JSON.stringify = () => '"y"'; JSON.parse = null
    String.prototype.slice = () => { throw 1 }; Object.defineProperty(Array.prototype, 0, { set() {} })
  %>{"actions": [], "x": "<%= properties.name %>"}`)
  assert.match(error, /not JSON/)
  assert.equal(({} as Record<string, unknown>)['then'], undefined)
  assert.deepEqual(await dataOf('{"actions": [<%= JSON.stringify(1) %>]}'), { actions: [1] })
})

test('a rendering that is no longer wanted ends at once', async () => {
  const wanted = new AbortController()
  const rendering = renderInThread(
    { template: '<% for (;;) {} %>', properties: '{}', context: '{}', seconds: 300 },
    wanted.signal,
  )
  wanted.abort(new Error('cancelled'))
  await assert.rejects(rendering, /cancelled/)
})
