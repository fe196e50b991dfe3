import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../tests/support/database.ts'
import { diceOf } from '../../../tests/support/dice.ts'
import { openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { predicate } from './predicates.ts'

/** Texts of any length are searched as PostgreSQL's own LIKE would, whose result is compared for each. */

const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'text patterns' })
after(async () => {
  await database.end()
  await own.drop()
})

const asked = (text: string, patterns: readonly string[], every: boolean) => sql<{ pieces: boolean; whole: boolean }>`
  with given as (
    select ${text}::text as text, array_agg(lower(pattern collate "und-x-icu") collate "C") as patterns from unnest(${patterns}::text[]) pattern
  )
  select sluice_like(text collate "C", patterns, ${every}) as pieces,
         (select case when ${every} then bool_and(lower(text collate "und-x-icu") like pattern)
                      else bool_or(lower(text collate "und-x-icu") like pattern) end from unnest(patterns) pattern) as whole
    from given`

test('short texts and any pattern', async () => {
  const dice = diceOf(11)
  const pick = (from: readonly string[], most: number) =>
    Array.from({ length: dice(most) }, () => from[dice(from.length)]!).join('')
  for (let tried = 0; tried < 2_000; tried++) {
    const text = pick(['a', 'B', 'ä', 'Σ', '%', '_', '\\', '\n', '😀'], 12)
    const patterns = Array.from({ length: 1 + dice(3) }, () =>
      pick(['a', 'b', 'Ä', 'σ', '%', '%', '_', '\\%', '\\_', '\\\\', '\\a', '\n', '😀'], 8),
    )
    const every = dice(2) === 0
    const found = (await database.one(asked(text, patterns, every)))!
    assert.equal(found.pieces, found.whole, JSON.stringify({ text, patterns, every }))
  }
})

test('texts beyond one piece, with what is sought at its edges', async () => {
  const dice = diceOf(12)
  const filling = ['x', 'ä', '😀', 'xä😀\n']
  const sought = ['needle', 'Nädel😀', 'aab', 'x'.repeat(900)]
  const patterns = [
    '%needle%',
    '%n_edle%',
    '%NÄ_el_%',
    '%needle%needle%',
    'x%needle',
    '%n%e%e%d%l%e%',
    '%aa_%aab%',
    '_%needle_%',
  ]
  for (let tried = 0; tried < 60; tried++) {
    const unit = filling[dice(filling.length)]!
    const many = (bytes: number) => unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)))
    const edge = 65_536 * (1 + dice(2)) - dice(12)
    const words = Array.from({ length: 1 + dice(2) }, () => sought[dice(sought.length)]!)
    const text = `${many(edge)}${words.join(unit)}${dice(2) ? many(70_000) : ''}${words[0]}`
    const some = Array.from({ length: 1 + dice(3) }, () => patterns[dice(patterns.length)]!)
    const every = dice(2) === 0
    const found = (await database.one(asked(text, some, every)))!
    assert.equal(found.pieces, found.whole, JSON.stringify({ tried, unit, edge, words, some, every }))
  }
})

test('a list asks of a long text what it asks of a short one, also where that is null', async () => {
  const names = [
    'start',
    'end',
    'cont',
    'matches',
    'not_start',
    'not_cont',
    'does_not_match',
    'cont_any',
    'matches_all',
  ] as const
  const short = { kind: 'text', sql: sql`t.text`, describe: 'Text.' } as const
  const text = `Ärger ${'und noch 1% _ mehr '.repeat(9_000)}ENDE`
  for (const value of ['ärger', 'ende', '1% _ m', '1\\% \\_ m%', '%ärger%ende', 'nichts', ''])
    for (const name of names) {
      const { sql: ask, takes } = predicate(name)
      const given = takes === 'texts' ? [value, 'noch'] : value
      const row = await database.one(sql`
        select array_agg(${ask(short, given)} order by t.n) = array_agg(${ask({ ...short, long: true }, given)} order by t.n) as same
          from (values (1, ${text}), (2, null), (3, 'kurz')) t (n, text)`)
      assert.deepEqual(row, { same: true }, `${name} ${value}`)
    }
})

test('a search in long texts can be cancelled, whatever the pattern', async () => {
  const worst = [`%${'a'.repeat(1_998)}b%`, `%${'_'.repeat(1_000)}a${'_'.repeat(900)}b%`, `%${'a%'.repeat(990)}b`]
  for (const pattern of worst) {
    const condition = predicate('matches').sql(
      { kind: 'text', sql: sql`line`, long: true, describe: 'A line.' },
      pattern,
    )
    // Each of 100 lines takes a fraction of a second, and so PostgreSQL looks at its clock many times.
    const searching = database.transaction(
      tx =>
        tx.rows(
          sql`select count(*) from (select repeat('a', 1048576 + n) as line from generate_series(1, 1000) n) lines where ${condition}`,
        ),
      { readOnly: true, statementTimeout: 300 },
    )
    await assert.rejects(searching, { code: '57014', message: /statement timeout/ })
  }
})
