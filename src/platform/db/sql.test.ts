import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, join, raw, sql } from './sql.ts'

test('values become parameters in the order of the text, through fragments within fragments', () => {
  const inner = sql`b = ${2} and ${raw('c')} = any(${[3, 4]})`
  assert.deepEqual(compile(sql`select ${1} where ${inner} or ${join([sql`d = ${5}`, sql`e = ${null}`], ' and ')}`), {
    text: 'select $1 where b = $2 and c = any($3) or d = $4 and e = $5',
    values: [1, 2, [3, 4], 5, null],
  })
})

test('what is to stand in the text itself does', () => {
  const literals = sql`select ${sql.lit("it's")}, ${sql.lit(-1.5)}, ${sql.lit(false)} where x = ${1}`
  const text = "select 'it''s', -1.5, false where x = $1"
  assert.deepEqual(compile(literals), { text, values: [1] })
  // The compiler can write the others: then all of them.
  assert.deepEqual(compile(sql`${literals} and ${sql.lit(null)}`), { text: `${text} and null`, values: [1] })
})

test('names are quoted, and what only the compiler knows is left to it', () => {
  assert.deepEqual(compile(sql`select ${sql.ref('a"b')}, ${sql.id('c')} from ${sql.table('t')} where x = ${1}`), {
    text: 'select "a""b", "c" from "t" where x = $1',
    values: [1],
  })
  assert.deepEqual(compile(sql`select ${sql.lit(4)}, ${sql.ref('t.a')} from ${sql.table('s.t')} where x = ${1}`), {
    text: 'select 4, "t"."a" from "s"."t" where x = $1',
    values: [1],
  })
})
