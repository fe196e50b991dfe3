import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { processesNaming } from '../../../tests/main-job/process-table.ts'
import { type RunnerWorld, runnerWorld } from '../../../tests/support/runner-world.ts'
import { stage, step } from '../../../tests/support/step-trees.ts'

describe('starts of runners while the service stops with its runners', () => {
  let here: RunnerWorld
  /** Ids of the runners whose start was begun, and the release of the first of them, which is held once it has a process. */
  const begun: string[] = []
  let release = () => {}
  before(async () => {
    here = await runnerWorld()
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const slow = {
      ...here.driver,
      start: async (...[runner]: Parameters<typeof here.driver.start>) => {
        const name = await here.driver.start(runner)
        begun.push(runner.id)
        if (begun.length === 1) await held
        return name
      },
    }
    Object.assign(here, { drivers: new Map([['process', slow]]) })
    await here.serve()
  })
  after(() => here.end())

  const runners = () =>
    here.world.database.rows(sql<{ id: string; status: string; starter_pid: number | null }>`
      select id, status, starter_pid from runners where status <> 'gone'`)

  test('the start that is under way is awaited, its runner ended, and the others are left to other processes', async () => {
    const changes: string[] = []
    for (let n = 0; n < 3; n++)
      changes.push(await here.world.change(stage('all', [step('one', { definition: { bodies: [{ run: 'true' }] } })])))
    // All of them are one batch.
    await here.world.admit()
    await here.until(() => begun.length === 1)
    let isOver = false
    const stopped = here.starts.end(here, here.world.database).then(() => {
      isOver = true
    })
    await here.stopRunners(30_000)
    assert.equal(isOver, false)
    release()
    await stopped
    await here.stopRunners(30_000)

    assert.equal(begun.length, 1)
    const all = await runners()
    assert.equal(all.length, 3)
    assert.deepEqual(
      all.flatMap(({ id }) => processesNaming(id)),
      [],
    )
    await here.vanish()
    await here.serve()
    for (const id of changes) assert.equal(await here.ended(id), 'success')
  })
})
