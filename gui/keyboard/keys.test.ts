import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { actOf, type KeyPress, keys, type Place, pressedKey } from './keys.ts'

const press = (key: string, more: Partial<KeyPress> = {}): string =>
  pressedKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })

test('a key press is written as the table writes it', () => {
  assert.equal(press('k', { ctrlKey: true }), 'Mod+k')
  assert.equal(press('k', { metaKey: true }), 'Mod+k')
  assert.equal(press('K', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+k')
  assert.equal(press('ArrowUp', { altKey: true }), 'Alt+ArrowUp')
  assert.equal(press('?', { shiftKey: true }), '?')
  assert.equal(press('*', { shiftKey: true }), '*')
  assert.equal(press('X', { shiftKey: true }), 'Shift+x')
  assert.equal(press('X'), 'x', 'with Caps Lock')
  assert.equal(press('End', { shiftKey: true }), 'Shift+End')
})

test('a key has its meaning at its place alone', () => {
  assert.equal(actOf('lists', 'j'), 'next')
  assert.equal(actOf('lists', 'Shift+x'), 'selectRange')
  assert.equal(actOf('log', 'g 7'), 'line')
  assert.equal(actOf('log', 'j'), undefined)
  assert.equal(actOf('node', '7'), 'tab')
})

test('no key does two things at one place, or in places that act on the same page', () => {
  const together: readonly (readonly Place[])[] = [
    ['everywhere', 'node', 'log'],
    ['everywhere', 'approvals'],
    ...Object.keys(keys).map(place => [place as Place]),
  ]
  for (const places of together) {
    const all = places.flatMap(place => Object.values(keys[place]).flat() as string[])
    assert.deepEqual(
      all.filter((key, i) => all.indexOf(key) !== i),
      [],
      places.join(', '),
    )
  }
})

test('every place of the table has code that asks what its keys do', () => {
  const gui = join(import.meta.dirname, '..')
  const files = globSync('{components,pages,shell}/**/*.{ts,tsx}', { cwd: gui })
  const code = files.map(file => readFileSync(join(gui, file), 'utf8')).join('\n')
  const asks = (place: string) => new RegExp(`(actOf|useKeys)\\('${place}'|keys\\.${place}\\[`).test(code)
  assert.deepEqual(
    Object.keys(keys).filter(place => !asks(place)),
    [],
  )
})
