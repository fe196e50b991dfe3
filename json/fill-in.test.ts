import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIn } from './fill-in.ts'

const properties = {
  web: { port: 8080, name: 'shop $(id) "quoted"', tags: ['a', 'b'], none: null, on: true },
  ['__proto__']: { polluted: 'data' },
}

test('a value is filled in as data, whatever a shell would make of it', () => {
  assert.deepEqual(fillIn('{{ web.name }}:{{web.port}}', 'env', properties), {
    text: 'shop $(id) "quoted":8080',
    unknown: [],
  })
})

test('what is no text is filled in as JSON, null as nothing', () => {
  assert.equal(
    fillIn('{{web.tags}} {{web.tags.1}} {{web.on}} [{{web.none}}]', 'env', properties).text,
    '["a","b"] b true []',
  )
})

test('a name that is no property is reported with the place where it stands, each of them', () => {
  assert.deepEqual(fillIn('{{web.prt}} {{constructor}} {{web.tags.7}}', 'env.PORT', properties).unknown, [
    { name: 'web.prt', where: 'env.PORT' },
    { name: 'constructor', where: 'env.PORT' },
    { name: 'web.tags.7', where: 'env.PORT' },
  ])
})

test('what is filled in is not filled in again', () => {
  assert.equal(fillIn('{{a}}', 'env', { a: '{{b}}', b: 'no' }).text, '{{b}}')
})

test('a placeholder without an end is text, however many blanks it has', () => {
  const text = `{{${' '.repeat(100_000)}`
  assert.deepEqual(fillIn(text, 'env', properties), { text, unknown: [] })
})
