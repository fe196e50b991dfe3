import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { processesNaming } from '../../../tests/main-job/process-table.ts'
import { type RunnerWorld, runnerWorld } from '../../../tests/support/runner-world.ts'
import { stage, step } from '../../../tests/support/step-trees.ts'
import { openProcessDriver } from './drivers/process/process.adapter.ts'
import { processOf } from './drivers/process/process-name.adapter.ts'
import { markSpareGone } from './runner.store.ts'
import { deleteSpares } from './spare.store.ts'
import { Spares } from './spares.jobs.ts'

describe('spare runners', () => {
  let here: RunnerWorld
  before(async () => {
    here = await runnerWorld()
  })
  after(() => here.end())
  beforeEach(async () => {
    here.settings = { 'runner.spares': 1 }
    // The one before may have failed while the service was away.
    await here.serve()
  })

  const sandboxed = { settings: { runnerOptions: { sandbox: true } } }
  const change = (run: string, over: Parameters<RunnerWorld['world']['change']>[1] = sandboxed) =>
    here.world.change(stage('all', [step('one', { definition: { bodies: [{ run }] } })]), over)
  const runners = (where = sql`true`) =>
    here.world.database.rows(sql<{ id: string; pid: number; status: string; activity_id: string | null }>`
      select id, pid, status, activity_id from runners where ${where} and status <> 'gone' order by created_at`)
  const spares = () => runners(sql`activity_id is null and task_id is null`)
  /** Waits until exactly `number` spares are ready, and no other is left. */
  const ready = (number: number) =>
    here.until(async () => {
      const all = await spares()
      const live = all.filter(({ id }) => here.spares.ready().includes(id))
      return all.length === number && live.length === number && live
    })
  const processesOf = (ids: readonly string[]) => ids.flatMap(id => processesNaming(id))

  test('a change is run by the one that stands ready, and another takes its place', async () => {
    const [spare] = await ready(1)
    const id = await change('echo "$SLUICE_RUNNER_ID"; cat step-trees.ts | wc -l')
    await here.world.admit()
    assert.equal(await here.ended(id), 'success')
    assert.equal((await here.lines(id))[0], spare!.id)
    const [next] = await ready(1)
    assert.notEqual(next!.id, spare!.id)
    // It ends with its change, as any other does.
    await here.until(() => processesOf([spare!.id]).length === 0)
  })

  test('of two that want it at once, one gets it, and a runner is started for the other', async () => {
    const [spare] = await ready(1)
    const both = await Promise.all([change('true'), change('true')])
    const want = (activityId: string) =>
      here.world.database.transaction(tx =>
        here.world.parts.runners.want(tx, {
          activityId,
          stepId: null,
          site: 'main',
          kind: 'process',
          options: { sandbox: true },
        }),
      )
    await Promise.all(both.map(want))
    const theirs = await runners(sql`activity_id = any(${both}::uuid[])`)
    assert.deepEqual(theirs.map(({ activity_id }) => activity_id).toSorted(), both.toSorted())
    assert.equal(theirs.filter(({ id }) => id === spare!.id).length, 1)
    // An activity that has a runner gets no second one.
    await ready(1)
    await Promise.all(both.map(want))
    assert.equal((await runners(sql`activity_id = any(${both}::uuid[])`)).length, 2)
    await here.world.admit()
    assert.deepEqual(await Promise.all(both.map(id => here.ended(id))), ['success', 'success'])
  })

  test('a change that wants another kind of runner leaves it standing', async () => {
    const [spare] = await ready(1)
    const id = await change('echo "$SLUICE_RUNNER_ID"', { settings: { runnerOptions: { sandbox: false } } })
    await here.world.admit()
    assert.equal(await here.ended(id), 'success')
    assert.notEqual((await here.lines(id))[0], spare!.id)
    assert.deepEqual(
      (await spares()).map(each => each.id),
      [spare!.id],
    )
  })

  test('one that dies while it stands ready is replaced, and no change hears of it', async () => {
    const [spare] = await ready(1)
    process.kill(spare!.pid, 'SIGKILL')
    const [next] = await here.until(async () => {
      const now = await ready(1)
      return now[0]!.id !== spare!.id && now
    })
    assert.deepEqual(processesOf([spare!.id]), [])
    const id = await change('echo "$SLUICE_RUNNER_ID"')
    await here.world.admit()
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), [next!.id])
  })

  test('one that dies just as it is taken counts as any runner that is lost', async () => {
    const [spare] = await ready(1)
    process.kill(spare!.pid, 'SIGSTOP')
    const settings = { runnerOptions: { sandbox: true }, onRunnerLost: 'restart' as const }
    const id = await change('echo "$SLUICE_ATTEMPT"', { settings })
    await here.world.admit()
    await here.until(async () => (await here.work.running(here.world.database, spare!.id)).length === 1)
    process.kill(spare!.pid, 'SIGKILL')
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), ['2'])
  })

  test('what is cancelled before it has reached one that was taken is stopped there', async t => {
    await ready(1)
    const { commit, news } = here.work
    const known = Promise.withResolvers<void>()
    t.after(() => {
      known.resolve()
      Object.assign(here.work, { commit, news })
    })
    let told = false
    Object.assign(here.work, {
      // Steps are claimed for it meanwhile.
      commit: async (...asked: Parameters<typeof commit>) => {
        await known.promise
        return commit(...asked)
      },
      news: async (...asked: Parameters<typeof news>) => {
        const all = await news(...asked)
        told ||= all.some(({ cancel }) => cancel.length > 0)
        // The first look comes when they are taken.
        return all.map(each => ({ ...each, queued: false }))
      },
    })
    const id = await change('sleep 600')
    await here.world.admit()
    await here.until(async () => (await here.world.activity(id)).n_running === 1)
    assert.equal(await here.world.cancel(id), 'cancelling')
    await here.until(() => told)
    known.resolve()
    assert.equal(await here.ended(id), 'cancelled')
  })

  test('one that is taken and dies while those before it are resolved counts as any runner that is lost', async t => {
    here.settings = { 'runner.spares': 0 }
    await ready(0)
    const first = await change('sleep 600', { settings: { runnerOptions: { sandbox: false } } })
    await here.world.admit()
    const before = await here.runner(first)
    const reached = Promise.withResolvers<void>()
    const resume = Promise.withResolvers<void>()
    const { kill, start } = here.driver
    t.after(() => {
      resume.resolve()
      Object.assign(here.driver, { kill, start })
    })
    here.driver.kill = async (id, running) => {
      if (id === before.id) {
        reached.resolve()
        await resume.promise
      }
      return kill(id, running)
    }
    here.driver.start = async what => {
      const name = await start(what)
      process.kill(processOf(name!.ref).pid, 'SIGSTOP')
      return name
    }
    here.settings = { 'runner.spares': 1 }
    const spare = await here.until(async () => (await spares()).find(({ pid }) => pid !== null))
    process.kill(before.pid, 'SIGKILL')
    await reached.promise
    process.kill(spare.pid, 'SIGCONT')
    await here.until(() => here.spares.ready().includes(spare.id))
    const second = await change('sleep 600')
    await here.world.admit()
    await here.until(async () => (await here.work.running(here.world.database, spare.id)).length === 1)
    process.kill(spare.pid, 'SIGKILL')
    resume.resolve()
    assert.equal(await here.ended(second), 'error')
    assert.equal(await here.ended(first), 'error')
  })

  test('one that somebody has taken is not marked as ended like one that nobody has', async () => {
    const [spare] = await ready(1)
    const id = await change('sleep 600')
    await here.world.admit()
    await markSpareGone(here.world.database, spare!.id, 'it could not be started')
    assert.equal((await here.runner(id)).id, spare!.id)
    // Killed before it has begun the step, another would run that.
    await here.until(async () => (await here.processesOf(id)).length > 0)
    process.kill(spare!.pid, 'SIGKILL')
    assert.equal(await here.ended(id), 'error')
  })

  test('those of a service that was killed end when it is back, and it makes its own', async () => {
    const [spare] = await ready(1)
    await here.vanish()
    assert.equal((await runners(sql`id = ${spare!.id}`))[0]?.status, 'live')
    await here.serve()
    const [next] = await ready(1)
    assert.notEqual(next!.id, spare!.id)
    await here.until(() => processesOf([spare!.id]).length === 0)
  })

  test('those of a service that was killed are ended too by one that is stopped at once', async () => {
    const [spare] = await ready(1)
    await here.vanish()
    process.kill(spare!.pid, 'SIGSTOP')
    await new Spares().end(here, here.world.database, 5_000)
    assert.deepEqual(processesOf([spare!.id]), [])
    assert.deepEqual(await spares(), [])
    await here.serve()
  })

  test('a smaller number ends those that are too many; other settings replace them', async () => {
    here.settings = { 'runner.spares': 2 }
    const two = await ready(2)
    here.settings = { 'runner.spares': 1, 'runner.sandbox': false }
    const [one] = await here.until(async () => {
      const now = await ready(1)
      return !two.some(({ id }) => id === now[0]!.id) && now
    })
    const id = await change('echo "$SLUICE_RUNNER_ID"', { settings: { runnerOptions: { sandbox: false } } })
    await here.world.admit()
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), [one!.id])
    here.settings = { 'runner.spares': 0 }
    await ready(0)
    await here.until(() => processesOf(two.map(each => each.id)).length === 0)
  })

  test('a stop leaves none behind, also none that was just being started', async () => {
    here.settings = { 'runner.spares': 2 }
    await here.until(async () => (await spares()).length === 2)
    const both = (await spares()).map(({ id }) => id)
    await here.spares.end(here, here.world.database, 5_000)
    assert.deepEqual(await spares(), [])
    // A process that clears the folder of an ended runner does not count.
    const left = processesOf(both).filter(({ command }) => !command.includes(' -delete'))
    assert.deepEqual(left, [])
    assert.deepEqual(here.spares.ready(), [])
    await here.vanish()
    await here.serve()
  })

  test('where none can be started, that is tried seldom and leaves nothing', async () => {
    const broken = openProcessDriver({
      folder: join(here.folder, 'broken'),
      serviceUrl: () => {
        throw new Error('there is no address')
      },
      hide: [],
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
    const said: string[] = []
    const log = { info: () => {}, warn: (_about: object, line: string) => void said.push(line), error: () => {} }
    const loop = new Spares().loop({
      drivers: new Map([['process', broken]]),
      self: here.self,
      site: 'main',
      settings: { global: async () => ({ data: { 'runner.spares': 1 }, sources: {} }) },
    })
    const runtime = {
      database: here.world.database,
      log,
      stopping: new AbortController().signal,
      record: async () => {},
      enqueue: async () => {},
    }
    for (let turns = 0; turns < 5; turns += 1) await loop.run(runtime)
    assert.deepEqual(said, ['spare runner could not be started; retrying later'])
    const made = await here.world.database.rows(sql<{ status: string }>`
      select status from runners where gone_reason = 'there is no address'`)
    assert.deepEqual(made, [{ status: 'gone' }])
  })

  test('those that never worked for anybody are forgotten after a day, others are not', async () => {
    const count = async () =>
      (await here.world.database.rows(sql<{ worked: boolean; number: number }>`
        select activity_id is not null as worked, count(*)::int as number
          from runners where status = 'gone' group by 1 order by 1`)) as { worked: boolean; number: number }[]
    const [spare, worked] = await count()
    assert.ok(spare!.number > 0 && !spare!.worked && worked!.number > 0)
    assert.equal(await deleteSpares(here.world.database), 0)
    await here.world.database.count(sql`update runners set gone_at = gone_at - interval '1 day' where status = 'gone'`)
    assert.equal(await deleteSpares(here.world.database), spare!.number)
    assert.deepEqual(await count(), [worked])
  })
})
