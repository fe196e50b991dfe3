import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SectionRows } from './section-rows.ts'

const section = (id: string, lines: number, isOpen = true) => ({ id, lines, isOpen })
const rows = new SectionRows([section('a', 2), section('b', 1_000_000, false), section('c', 0), section('d', 3)])

test('each section has a row for its header, and one for each line if it is open', () => {
  assert.equal(rows.count, 9)
  const places = Array.from({ length: 9 }, (_, row) => rows.at(row)!)
  assert.deepEqual(
    places.map(({ id, line }) => `${id}${line ?? ''}`),
    ['a', 'a0', 'a1', 'b', 'c', 'd', 'd0', 'd1', 'd2'],
  )
  for (const [row, place] of places.entries()) assert.equal(rows.rowOf(place), row)
  assert.equal(rows.at(9), undefined)
  assert.deepEqual([rows.headerOf(1), rows.headerOf(3), rows.headerOf(4)], [3, 5, 9])
})

test('a line of a closed section is at its header', () => {
  assert.equal(rows.rowOf({ id: 'b', line: 500 }), 3)
  assert.equal(rows.rowOf({ id: 'x', line: 1 }), undefined)
})

test('rows before the first change are the same', () => {
  assert.equal(rows.firstChange(rows), 9)
  const longer = new SectionRows([section('a', 5), ...rows.sections.slice(1)])
  assert.equal(longer.firstChange(rows), 3)
  const opened = new SectionRows([section('a', 2), section('b', 1_000_000), ...rows.sections.slice(2)])
  assert.equal(opened.firstChange(rows), 4)
  assert.equal(rows.firstChange(opened), 4)
  // A closed section may grow.
  const grown = new SectionRows([section('a', 2), section('b', 2_000_000, false), ...rows.sections.slice(2)])
  assert.equal(grown.firstChange(rows), 9)
  const more = new SectionRows([...rows.sections.slice(0, 2), section('n', 1), ...rows.sections.slice(2)])
  assert.equal(more.firstChange(rows), 4)
})

test('ten thousand sections are made in a moment, and found by bisection', () => {
  const many = new SectionRows(Array.from({ length: 10_000 }, (_, i) => section(`s${i}`, i % 200, i % 2 === 0)))
  for (let i = 0; i < 10_000; i += 37) assert.deepEqual(many.at(many.headerOf(i)), { id: `s${i}`, line: undefined })
})
