import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Actor } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { engineWorld } from '../../../tests/support/engine-world.ts'
import { readSoFar } from '../../../tests/support/rows-read.ts'
import { stage, wait } from '../../../tests/support/step-trees.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import { stepResource } from '../steps/for-changes.ts'
import { activityFilters } from './change.resource.ts'
import { stepsThatWait } from './step-can.resource.ts'

const world = await engineWorld()
after(() => world.end())

const actor = {
  userId: randomUUID(),
  username: 'fay',
  rights: { executable: () => sql`true` },
} as unknown as Actor
const anywhere = sql`s.path`
const filters: Record<string, (value: string, actor: Actor) => Sql> = Object.fromEntries(
  Object.entries({ ...stepResource(world.parts.keyring).named, ...stepsThatWait(anywhere) }).map(([name, named]) => [
    name,
    named.sql,
  ]),
)

test('among 20,000 that have ended the lists of what waits, or is somebody’s own, read that and nothing else', async () => {
  const id = await world.change(
    stage(
      'r',
      [
        wait('signed', { requires_approval_from: [{ user_names: ['fay'] }] }),
        wait('anybody'),
        wait('later', { wait: { seconds: 3_600 } }),
      ],
      { child_execution_strategy: 'parallel' },
    ),
  )
  await world.admit()
  await withClient(world.own.superuserUrl, async owner => {
    await owner.query(`
      insert into activities (kind, status, node_id, project_id, path, name_key, created_by)
      select kind, 'success', node_id, project_id, path, 'n' || n, created_by from activities, generate_series(1, 20000) n`)
    await owner.query(`
      insert into steps (activity_id, project_id, path, position, tree_order, step_type, step_name, full_path, status, body)
      select id, project_id, path, 0, 'a0', 'standard', 'a', 'a', 'success', 'done' from activities where final`)
    await owner.query('vacuum analyze activities, steps')
  })
  const read = (statement: Sql<{ it: string }>, table: string) =>
    world.database.transaction(async tx => {
      const before = await readSoFar(tx, table)
      const found = (await tx.rows(statement)).map(({ it }) => it)
      const rows = (await readSoFar(tx, table)) - before
      assert.ok(rows < 20, `${rows} of ${table} were read`)
      return found
    })
  const stepsFound = (name: string) =>
    read(
      sql<{ it: string }>`
        select s.full_path as it
          from steps s join activities a on a.id = s.activity_id and a.kind = 'change'
         where ${filters[name]!('true', actor)}
         order by s.activity_id desc, s.tree_order
         limit 1001`,
      'steps',
    )
  assert.deepEqual(await stepsFound('waiting_for_user'), ['r/signed', 'r/anybody'])
  assert.deepEqual(await stepsFound('waiting_for_me'), ['r/signed', 'r/anybody'])
  assert.deepEqual(await stepsFound('without_input_arguments'), ['r/signed', 'r/anybody', 'r/later'])
  assert.deepEqual(await stepsFound('with_input_arguments'), [])
  for (const table of ['activities', 'steps'])
    assert.deepEqual(
      await read(
        sql<{ it: string }>`
          select a.id as it from activities a
           where ${activityFilters(anywhere)['waiting_for_me']!.sql('true', actor)}
           order by a.created_at desc, a.id desc
           limit 101`,
        table,
      ),
      [id],
    )
  const own = sql<{ it: string }>`
    select a.id as it from activities a
     where ${activityFilters(anywhere)['mine']!.sql('true', actor)}
     order by a.created_at desc, a.id desc
     limit 101`
  assert.deepEqual(await read(own, 'activities'), [])
})
