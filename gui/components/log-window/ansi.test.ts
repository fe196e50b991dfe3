import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText, styledTexts } from './ansi.ts'

test('a line without sequences is one part', () => {
  assert.deepEqual(styledTexts('all\tdisks [32m have room'), [{ text: 'all\tdisks [32m have room' }])
  assert.deepEqual(styledTexts(''), [])
})

test('colours and weights begin and end where the sequences say', () => {
  assert.deepEqual(styledTexts('\x1b[31mred\x1b[0m and \x1b[1;32mbold green\x1b[22m green\x1b[39m'), [
    { text: 'red', colour: 1 },
    { text: ' and ' },
    { text: 'bold green', bold: true, colour: 2 },
    { text: ' green', colour: 2 },
  ])
})

test('bright colours and backgrounds', () => {
  assert.deepEqual(styledTexts('\x1b[91;44mx\x1b[49;4;3;2my'), [
    { text: 'x', colour: 9, background: 4 },
    { text: 'y', colour: 9, underline: true, italic: true, dim: true },
  ])
})

test('colours of the table of 256 and true colours become the nearest of the 16', () => {
  const colourOf = (codes: string) => styledTexts(`\x1b[${codes}mx`)[0]?.colour
  assert.equal(colourOf('38;5;9'), 9)
  assert.equal(colourOf('38;5;196'), 9)
  assert.equal(colourOf('38;5;244'), 8)
  assert.equal(colourOf('38;2;0;128;0'), 2)
  assert.equal(colourOf('38;2;250;250;250'), 15)
  assert.deepEqual(styledTexts('\x1b[38;5;9;1mx'), [{ text: 'x', colour: 9, bold: true }])
})

test('an empty sequence resets, an unknown one is left out', () => {
  assert.deepEqual(styledTexts('\x1b[31ma\x1b[mb\x1b[2Kc\x1b[999md\x1b[?25le'), [
    { text: 'a', colour: 1 },
    { text: 'b' },
    { text: 'c' },
    { text: 'd' },
    { text: 'e' },
  ])
})

test('titles, links and other control characters are no text', () => {
  assert.equal(plainText('\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\rc\x08\x1bcd'), 'abcd')
})
