import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, sql } from '../db/sql.ts'
import { predicate } from './predicates.ts'

/** Query for an index of trigrams, for a text that a name is to contain. */
const askedFor = (text: string): string => {
  const column = { kind: 'text', sql: sql`name`, trigrams: true, describe: 'Its name.' } as const
  return String(compile(predicate('cont').sql(column, text)).values[0])
}

test('an index of trigrams is asked for the ends of words, and for shorter words with what stands beside them', () => {
  const asked = ['frankfurt 103', 'köln 142', 'łódź 142', '142 in wien', 'api of ßa', 'abΣ 142', '5%of 142'].map(
    askedFor,
  )
  assert.deepEqual(asked, [
    '%fra%urt%103%',
    '%ln %142%',
    '%ódź%142%',
    '%142%in %wie%',
    '%api%of %',
    '%142%',
    '%of %142%',
  ])
})

test('where no word has three letters it is asked for the whole text', () => {
  assert.deepEqual(['ab cd', 'köln', 'łódź 14', 'a_b'].map(askedFor), ['%ab cd%', '%köln%', '%łódź 14%', '%a\\_b%'])
})

test('whatever is asked for stands in the text, in that order', () => {
  const characters = [...'abC19 -_%\\öŁΣσß😀']
  let seed = 1
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let tried = 0; tried < 5_000; tried++) {
    const text = Array.from({ length: next(14) }, () => characters[next(characters.length)]).join('')
    const asked = askedFor(text)
    if (asked === `%${text.replace(/[\\%_]/g, found => `\\${found}`)}%`) continue
    let at = 0
    for (const part of asked.split('%').filter(Boolean)) {
      const found = text.indexOf(part, at)
      assert.ok(found >= 0 && part.isWellFormed() && !part.includes('Σ'), `${asked} for ${JSON.stringify(text)}`)
      at = found + part.length
    }
  }
})
