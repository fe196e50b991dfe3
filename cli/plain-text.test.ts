import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutTo, plainLine, plainText, widthOf } from './plain-text.ts'

const harmless: [what: string, text: string, plain: string][] = [
  ['a colour stays, and is switched off at the end', '\x1b[31mred', '\x1b[31mred\x1b[0m'],
  ['a colour that ends by itself stays as it is', '\x1b[31mred\x1b[0m!', '\x1b[31mred\x1b[0m!'],
  ['clearing the screen is dropped', 'a\x1b[2Jb', 'ab'],
  ['moving the cursor is dropped', 'a\x1b[10;10Hb\x1b[3A', 'ab'],
  ['the title of the window is dropped with its text', 'a\x1b]0;owned\x07b', 'ab'],
  ['a link (OSC 8) loses its target and keeps its text', '\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['writing to the clipboard is dropped', '\x1b]52;c;cm0gLXJm\x07', ''],
  ['a device control string is dropped', 'a\x1bP+q544e\x1b\\b', 'ab'],
  ['what has no end loses its introducer', 'a\x1b]0;never ends', 'a0;never ends'],
  ['an escape at the end is dropped', 'a\x1b', 'a'],
  ['the 8-bit forms are dropped, too', 'a\x9b2Jb\x9d0;x\x9cc\x85', 'abc'],
  ['a lone return cannot overwrite a line', 'good\rbad!', 'goodbad!'],
  ['a line end of Windows is a line end', 'a\r\nb', 'a\nb'],
  ['bell, backspace and delete are dropped', 'a\x07\b\x7fb', 'ab'],
  ['lines, tabs and every language stay', 'a\n\tä 漢字 👩‍🚒', 'a\n\tä 漢字 👩‍🚒'],
]
for (const [what, text, plain] of harmless) test(what, () => assert.equal(plainText(text), plain))

test('a cell is one line', () => assert.equal(plainLine('a\n  b\tc\r\nd'), 'a b c d'))

test('no text of any kind leaves a control character behind', () => {
  for (let code = 0; code < 0xa0; code++)
    for (const after of ['[2J', ']0;x\x07', 'x', '']) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      const left = plainText(`\x1b${String.fromCharCode(code)}${after}`).replaceAll(/\x1b\[[\d;:]*m/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      assert.doesNotMatch(left, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/, `after character ${code}`)
    }
})

test('wide characters take two columns, colours none', () => {
  assert.equal(widthOf('\x1b[31m漢字\x1b[0m!'), 5)
  assert.equal(widthOf('👩‍🚒'), 2)
})

test('what is cut says so and leaves no colour on', () => {
  assert.equal(cutTo('abcdef', 4), 'abc…')
  assert.equal(cutTo('漢字漢字', 5), '漢字…')
  assert.equal(cutTo('\x1b[31mabcdef\x1b[0m', 4), '\x1b[31mabc…\x1b[0m')
  assert.equal(cutTo('abcd', 4), 'abcd')
})
