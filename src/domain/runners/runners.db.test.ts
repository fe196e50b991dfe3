import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { findBubblewrap } from '../../../runner/sandbox/sandbox.ts'
import { type RunnerWorld, runnerWorld } from '../../../tests/support/runner-world.ts'
import { stage, step, wait } from '../../../tests/support/step-trees.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import { processName } from './drivers/process/process-name.adapter.ts'
import { runnersUnderWay, runnerUnderWay, takeWanted, wantAgain } from './runner.store.ts'

const runs = (name: string, run: string) => step(name, { definition: { bodies: [{ run }] } })

describe('runners', () => {
  let here: RunnerWorld
  before(async () => {
    here = await runnerWorld()
  })
  // One that failed while the service was away.
  beforeEach(() => here.serve())
  after(() => here.end())

  const begin = async (...given: Parameters<RunnerWorld['world']['change']>) => {
    const id = await here.world.change(...given)
    await here.world.admit()
    return id
  }

  const asOwner = (statements: string): Promise<void> =>
    withClient(here.world.own.superuserUrl, async client => void (await client.query(statements)))

  /** The name of a process that has ended. */
  const dead = async () => {
    const child = spawn('sleep', ['60'])
    const name = processName(here.driver.host, child.pid!)!
    child.kill('SIGKILL')
    await once(child, 'exit')
    return name
  }

  test('a change runs to its end in one runner, and its whole log is kept in order', async () => {
    const id = await begin(
      stage('all', [runs('one', 'echo first; id -un; echo x > made'), runs('two', 'seq 1 2500; cat made')]),
    )
    assert.equal(await here.ended(id), 'success')
    const lines = await here.lines(id)
    assert.deepEqual(lines.slice(2), [...Array.from({ length: 2_500 }, (_, i) => String(i + 1)), 'x'])
    // Root's service steps down for what users wrote.
    assert.equal(lines[1], process.getuid?.() === 0 ? 'sluice-run' : process.env['USER'])
  })

  test('a runner ends with its change, and takes its folder along', async () => {
    const id = await begin(stage('all', [runs('one', 'echo "$HOME"')]))
    assert.equal(await here.ended(id), 'success')
    const [home] = await here.lines(id)
    assert.ok(home?.startsWith(here.folder))
    await here.until(() => !existsSync(join(home!, '../..')))
    const row = await here.world.database.one(
      sql<{ status: string }>`select status from runners where activity_id = ${id}`,
    )
    assert.equal(row?.status, 'gone')
  })

  test('what only waits has neither a runner nor a slot after a while, and gets others when it goes on', async () => {
    const tree = stage('all', [runs('one', 'echo one'), wait('look'), runs('two', 'echo two')])
    const id = await begin(tree, { settings: { idleSeconds: 0 } })
    const { pid } = await here.runner(id)
    await here.until(async () => (await here.world.status(id)) === 'waiting')
    await here.world.admit()
    assert.equal((await here.world.activity(id)).holds_slot, false)
    await here.until(() => !existsSync(`/proc/${pid}`))
    await here.world.goOn(id, 'all/look')
    await here.world.admit()
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), ['one', 'two'])
    const runners = await here.world.database.rows(sql`select from runners where activity_id = ${id}`)
    assert.equal(runners.length, 2)
  })

  test('a step goes on while the service is away, and nothing that it says is lost', async () => {
    const id = await begin(
      stage('all', [runs('count', 'for i in $(seq 1 40); do echo $i; sleep 0.05; done'), runs('then', 'echo done')]),
    )
    await here.until(async () => (await here.lines(id)).length > 3)
    const { pid } = await here.runner(id)
    await here.vanish()
    await here.serve()
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), [...Array.from({ length: 40 }, (_, i) => String(i + 1)), 'done'])
    const known = await here.world.database.one(sql<{ pid: number }>`select pid from runners where activity_id = ${id}`)
    assert.equal(known?.pid, pid)
  })

  test('a connection that breaks at a commit, of claims or of results, costs no step', async () => {
    const broken: string[] = []
    const once = (what: string, isIt: boolean) => isIt && !broken.includes(what) && broken.push(what) > 0
    here.losesAnswer = answer => {
      const given = Array.isArray(answer) ? answer.map(step => String(step?.text)).join() : ''
      return once('claims', given.includes('echo one')) || once('results', given.includes('echo two'))
    }
    const id = await begin(stage('all', [runs('one', 'echo one'), runs('two', 'echo two')]))
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), ['one', 'two'])
    assert.deepEqual(broken, ['claims', 'results'])
  })

  /** PostgreSQL refuses what is done so (`update on runners`) to rows like these. */
  const refuse = (deed: string, which: string) =>
    asOwner(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not these'; end $$;
      create trigger refuse before ${deed} for each row when (${which}) execute function refuse()`)
  const refuseSteps = (ids: readonly string[], what: string) =>
    refuse('update on steps', `new.activity_id = any('{${ids}}') and ${what}`)
  const relent = () => asOwner('drop function refuse() cascade')
  const toldOfFault = async (id: string) =>
    (await here.world.events(id)).some(event => event.startsWith('error:step:aasm_failure'))

  test('changes whose steps cannot be given to their runners hold up no other, are told of, and go on once they can', async () => {
    const ids: string[] = []
    for (let made = 0; made < 5; made++) ids.push(await here.world.change(runs('one', 'true')))
    await refuseSteps(ids, `new.status = 'running'`)
    try {
      await here.world.admit()
      for (const id of ids) await here.runner(id)
      const other = await begin(runs('one', 'true'))
      assert.equal(await here.ended(other), 'success')
      await here.until(async () => (await Promise.all(ids.map(toldOfFault))).every(Boolean))
    } finally {
      await relent()
    }
    for (const id of ids) assert.equal(await here.ended(id), 'success')
  })

  test('a lost runner whose last result cannot be applied is told of, and its change ends once it is cancelled', async () => {
    const id = await begin(runs('one', 'true'))
    await refuseSteps([id], 'new.exit_code is not null')
    try {
      const runner = await here.runner(id)
      const recorded = (await runnerUnderWay(here.world.database, runner.id))!
      await here.until(async () => (await here.driver.unsent(recorded)).some(({ type }) => type === 'result'))
      process.kill(runner.pid, 'SIGKILL')
      await here.until(() => toldOfFault(id))
      assert.equal(await here.world.cancel(id), 'cancelling')
      assert.equal(await here.ended(id), 'cancelled')
      await here.until(async () =>
        here.world.database.one(sql`select from runners where id = ${runner.id} and status = 'gone'`),
      )
    } finally {
      await relent()
    }
  })

  test('lines that cannot be stored hold up the end of their change for no longer than until it is cancelled', async () => {
    await refuse('insert on log_chunks', `'refused' = any(new.messages)`)
    try {
      const id = await begin(runs('one', 'echo before; echo refused; sleep 600'))
      const { id: runner } = await here.runner(id)
      await here.until(() =>
        here.complaints.some(line => /^storing messages of a runner failed/.test(line) && line.includes(runner)),
      )
      assert.equal(await here.world.cancel(id), 'cancelling')
      assert.equal(await here.ended(id), 'cancelled')
      assert.ok((await here.world.events(id)).some(event => event.startsWith('error:log_lines:left_out')))
      const lines = await here.world.database.rows(sql<{ seq: number; message: string }>`
        select seq, message from log_lines where activity_id = ${id} order by logged_at, seq`)
      assert.match(lines.find(({ message }) => message.includes('left out'))?.message ?? '', /not these/)
      assert.deepEqual(
        lines.map(({ seq }) => seq),
        lines.map((_, index) => index + 1),
        'by their times they are in the order in which they were written',
      )
    } finally {
      await relent()
    }
  })

  test('a step that is given more than a message holds fails, saying so', async () => {
    const huge = step('huge', { definition: { bodies: [{ run: 'true' }], bytes: 64 * 1_048_576 } })
    const id = await begin(stage('all', [huge]))
    assert.equal(await here.ended(id), 'error')
    const told = await here.world.database.one(sql<{ error_message: string }>`
      select error_message from steps where activity_id = ${id} and step_name = 'huge'`)
    assert.match(told!.error_message, /larger than 64 MiB/)
  })

  test('cancelling stops all that runs, and the change is cancelled once it is dead', async () => {
    const id = await begin(stage('all', [runs('long', 'setsid sleep 600 & sleep 600')]))
    await here.until(async () => (await here.processesOf(id)).some(({ name }) => name === 'sleep'))
    assert.equal(await here.world.cancel(id), 'cancelling')
    assert.equal(await here.ended(id), 'cancelled')
    assert.deepEqual(await here.processesOf(id), [])
  })

  test('a runner that can neither be started nor put back holds up none of those that are started with it', async () => {
    await here.vanish()
    const [stuck, other] = [await begin(runs('one', 'echo one')), await begin(runs('two', 'echo two'))]
    const { id } = (await here.world.database.one(sql<{ id: string }>`
      select id from runners where activity_id = ${stuck}`))!
    // Where its folder is to be.
    writeFileSync(join(here.folder, 'runners', id), '')
    await refuse('update on runners', `new.id = '${id}' and new.status = 'wanted'`)
    try {
      await here.serve()
      assert.equal(await here.ended(other), 'success')
      const { attempts } = (await here.world.database.one(sql<{ attempts: number }>`
        select start_attempts as attempts from runners where activity_id = ${other}`))!
      assert.equal(attempts, 1, 'it was not started anew after half a minute')
      assert.ok(here.complaints.some(line => line.startsWith('runner did not start; retrying') && line.includes(id)))
    } finally {
      await relent()
      rmSync(join(here.folder, 'runners', id))
      await here.world.cancel(stuck)
    }
  })

  test('a change whose runner cannot be started is told of, tried less and less often, and goes on once one can', async () => {
    await here.vanish()
    const id = await begin(runs('one', 'echo one'))
    const { id: runner } = (await here.world.database.one(sql<{ id: string }>`
      select id from runners where activity_id = ${id}`))!
    // Where its folder is to be.
    const place = join(here.folder, 'runners', runner)
    writeFileSync(place, '')
    await here.serve()
    try {
      await here.until(async () => (await toldOfFault(id)) || (await here.world.activity(id)).status !== 'running')
      assert.equal((await here.world.activity(id)).status, 'running')
      const tries = here.complaints.filter(line => line.startsWith('runner could not be started'))
      assert.equal(tries.filter(line => line.includes(runner)).length, 5, 'it is told of at the fifth')
    } finally {
      rmSync(place, { force: true })
    }
    assert.equal(await here.ended(id), 'success')
  })

  test('a runner that did not come up and cannot be put back is tried less and less often, told of, and put back once it can be', async () => {
    const starter = await dead()
    await here.vanish()
    const id = await begin(runs('one', 'true'))
    await here.world.database.transaction(tx =>
      takeWanted(tx, { site: 'main', kind: 'process', limit: 1, starter, folder: '/nowhere' }),
    )
    const { id: runner } = (await here.world.database.one(sql<{ id: string }>`
      select id from runners where activity_id = ${id}`))!
    await refuse('update on runners', `new.id = '${runner}' and new.status = 'wanted'`)
    try {
      await here.serve()
      await here.until(() => toldOfFault(id))
      const tries = here.complaints.filter(
        line => line.startsWith('runner did not connect in time') && line.includes(runner),
      )
      assert.equal(tries.length, 5, 'it is told of at the fifth')
    } finally {
      await relent()
    }
    assert.equal(await here.ended(id), 'success')
  })

  test('a killed runner takes what it ran with it before the step is an error', async () => {
    const left = runs('left', 'setsid sleep 600 > /dev/null 2>&1 & true')
    const long = runs('long', 'echo on; setsid sleep 601 & sleep 602')
    const id = await begin(stage('all', [left, long]), { settings: { runnerOptions: { sandbox: false } } })
    const daemons = async () => (await here.processesOf(id)).filter(({ name }) => name === 'sleep').length
    await here.until(async () => (await daemons()) === 3)
    process.kill((await here.runner(id)).pid, 'SIGKILL')
    assert.equal(await here.ended(id), 'error')
    // The daemon of the step that had succeeded lives on.
    assert.equal(await daemons(), 1)
    const steps = await here.world.database.rows(sql<{ error_message: string }>`
      select error_message from steps where activity_id = ${id} and error_message is not null`)
    assert.deepEqual(steps, [{ error_message: 'The runner was lost: its process has ended' }])
  })

  test('what a lost runner was given before it was dead is ended with it', async t => {
    const settings = { runnerOptions: { sandbox: false } }
    const id = await begin(stage('all', [runs('long', 'echo on; setsid sleep 601 & sleep 602')]), { settings })
    await here.until(async () => (await here.processesOf(id)).filter(({ name }) => name === 'sleep').length === 2)
    const { running } = here.work
    t.after(() => Object.assign(here.work, { running }))
    let looks = 0
    // As if it had been claimed just after the first look.
    Object.assign(here.work, {
      running: async (...asked: Parameters<typeof running>) => (looks++ === 0 ? [] : running(...asked)),
    })
    process.kill((await here.runner(id)).pid, 'SIGKILL')
    assert.equal(await here.ended(id), 'error')
    assert.deepEqual(await here.processesOf(id), [])
  })

  test('a step that is being taken for a runner while that is found lost is resolved with it', async t => {
    const { claim } = here.work
    t.after(() => Object.assign(here.work, { claim }))
    const [taking, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    Object.assign(here.work, {
      claim: async (...asked: Parameters<typeof claim>) => {
        Object.assign(here.work, { claim })
        taking.resolve()
        await resume.promise
        return claim(...asked)
      },
    })
    const id = await begin(runs('one', 'true'))
    await taking.promise
    const { id: runner, pid } = await here.runner(id)
    process.kill(pid, 'SIGKILL')
    const { database } = here.world
    await here.until(() =>
      database.one(sql`
        select from runners where id = ${runner} and status = 'gone'
        union all
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%runners%'`),
    )
    resume.resolve()
    assert.equal(await here.ended(id), 'error')
    assert.deepEqual(await database.rows(sql`select error_message from steps where activity_id = ${id}`), [
      { error_message: 'The runner was lost: its process has ended' },
    ])
  })

  test('a lost runner whose host does not answer may still run its steps, so its change waits until it does', async t => {
    const id = await begin(runs('one', 'sleep 600'))
    await here.until(async () => (await here.processesOf(id)).length > 0)
    const { pid } = await here.runner(id)
    const { kill } = here.driver
    t.after(() => {
      here.driver.kill = kill
    })
    let asked = 0
    here.driver.kill = async () => {
      asked += 1
      return 'unreachable'
    }
    process.kill(pid, 'SIGKILL')
    await here.until(() => asked > 1)
    assert.equal((await here.world.activity(id)).status, 'running')
    here.driver.kill = kill
    assert.equal(await here.ended(id), 'error')
    assert.deepEqual(await here.processesOf(id), [])
  })

  test('a lost runner of which something cannot be killed holds up no other that is lost', async t => {
    const [first, second] = [await begin(runs('one', 'sleep 600')), await begin(runs('one', 'sleep 600'))]
    for (const id of [first, second]) await here.until(async () => (await here.processesOf(id)).length > 0)
    const [stuck, other] = [await here.runner(first), await here.runner(second)]
    const { kill } = here.driver
    const ends = Promise.withResolvers<void>()
    t.after(() => {
      ends.resolve()
      here.driver.kill = kill
    })
    let asked = 0
    here.driver.kill = async (id, running) => {
      if (id === stuck.id) {
        asked += 1
        await ends.promise
      }
      return kill(id, running)
    }
    process.kill(stuck.pid, 'SIGKILL')
    await here.until(() => asked === 1)
    process.kill(other.pid, 'SIGKILL')
    assert.equal(await here.ended(second), 'error')
    assert.equal((await here.world.activity(first)).status, 'running')
    ends.resolve()
    assert.equal(await here.ended(first), 'error')
    assert.equal(asked, 1)
  })

  test('on_runner_lost: restart runs the step again, never twice at once', async () => {
    const run = 'echo attempt $SLUICE_ATTEMPT; [ $SLUICE_ATTEMPT = 2 ] || sleep 600'
    const id = await begin(stage('all', [runs('again', run)]), { settings: { onRunnerLost: 'restart' } })
    await here.until(async () => (await here.lines(id)).length > 0)
    process.kill((await here.runner(id)).pid, 'SIGKILL')
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), ['attempt 1', 'attempt 2'])
    assert.deepEqual(await here.processesOf(id), [])
  })

  test('what a runner had written down but not sent when it was killed is applied', async () => {
    const id = await begin(stage('all', [runs('long', 'echo begun; sleep 600')]))
    await here.until(async () => (await here.lines(id)).length > 0)
    const { id: runner, pid } = await here.runner(id)
    const attempt = (await here.work.running(here.world.database, runner))[0]!
    await here.vanish()
    process.kill(pid, 'SIGKILL')
    const at = '2026-11-21T10:00:00.000000Z'
    const unsent = [
      { type: 'log', ...attempt, seq: 900, firstSeq: 2, runs: [[1, at, 'stdout']], text: 'the last words' },
      {
        type: 'result',
        ...attempt,
        seq: 901,
        outcome: 'success',
        exitCode: 0,
        errorMessage: null,
        startedAt: at,
        finishedAt: at,
        propertiesDiffs: {},
        artefacts: [],
      },
    ]
    const spool = join(here.folder, 'runners', runner, 'spool/messages-000000001.ndjson')
    appendFileSync(spool, `${unsent.map(message => JSON.stringify(message)).join('\n')}\n{"type":"log","torn`)
    await here.serve()
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), ['begun', 'the last words'])
  })

  test('a runner that a service had taken on to start, and did not live to, is started by the next at once', async () => {
    const starter = await dead()
    await here.vanish()
    const id = await begin(stage('all', [runs('one', 'true')]))
    const taken = { site: 'main', kind: 'process', limit: 1, starter, folder: '/nowhere' } as const
    await here.world.database.transaction(tx => takeWanted(tx, taken))
    await here.serve()
    assert.equal(await here.ended(id), 'success')
    const runner = await here.world.database.one(sql<{ attempts: number; early: boolean }>`
      select start_attempts as attempts, last_contact - created_at < interval '30 s' as early
        from runners where activity_id = ${id}`)
    assert.deepEqual(runner, { attempts: 2, early: true })
  })

  test('one that two processes find not to have come up is started anew once', async () => {
    const starter = await dead()
    await here.vanish()
    const id = await begin(runs('one', 'true'))
    const { database } = here.world
    const take = () =>
      database.transaction(
        async tx =>
          (await takeWanted(tx, { site: 'main', kind: 'process', limit: 1, starter, folder: '/nowhere' }))[0]!,
      )
    const judged = await take()
    await wantAgain(database, judged)
    await take()
    await wantAgain(database, judged)
    assert.deepEqual(
      await database.rows(sql`select status, start_attempts as attempts from runners where activity_id = ${id}`),
      [{ status: 'starting', attempts: 2 }],
    )
    await here.serve()
    assert.equal(await here.ended(id), 'success')
  })

  test('a runner whose process cannot be recorded is not started once more: it says itself which it is', async () => {
    await refuse(
      'update on runners',
      `old.status = 'starting' and new.status = 'starting' and old.pid is null and new.pid is not null`,
    )
    try {
      const id = await begin(runs('one', 'true'))
      assert.equal(await here.ended(id), 'success')
      const runners = await here.world.database.rows(sql<{ attempts: number; isKnown: boolean }>`
        select start_attempts as attempts, pid is not null as "isKnown" from runners where activity_id = ${id}`)
      assert.deepEqual(runners, [{ attempts: 1, isKnown: true }])
    } finally {
      await relent()
    }
  })

  test('a runner that a service had started, and did not live to record, is taken over as it is', async () => {
    const { pid } = await dead()
    const go = join(here.folder, 'go')
    const id = await begin(
      stage('all', [runs('one', `until [ -e ${go} ]; do sleep 0.05; done; echo "$SLUICE_ATTEMPT"`)]),
    )
    const runner = await here.runner(id)
    await here.vanish()
    process.kill(runner.pid, 'SIGSTOP')
    // As after a kill between the start of the process and its record.
    await here.world.database.rows(sql`
      update runners set status = 'starting', pid = null, pid_started = null, starter_pid = ${pid} where id = ${runner.id}`)
    const recorded = (await runnerUnderWay(here.world.database, runner.id))!
    assert.deepEqual((await here.driver.observe([recorded])).get(runner.id), { is: 'alive' })
    await here.serve()
    process.kill(runner.pid, 'SIGCONT')
    await here.until(async () => (await here.runner(id)).pid === runner.pid)
    writeFileSync(go, '')
    assert.equal(await here.ended(id), 'success')
    assert.deepEqual(await here.lines(id), ['1'])
  })

  test('a runner that hangs is found by its silence, by the time of the database', async () => {
    const id = await begin(stage('all', [runs('long', 'sleep 600')]))
    await here.until(async () => (await here.processesOf(id)).length > 0)
    const { pid } = await here.runner(id)
    process.kill(pid, 'SIGSTOP')
    // An outage of the service is no silence of the runner: the clock advances in steps that are no gap. It advances
    // until the end: the test itself may have stood still for so long that the service takes it for an outage.
    const status = await here.until(async () => {
      await here.world.database.count(sql`update installation set heartbeat_at = sluice_now() + interval '4 s'`)
      await here.world.moveClock('4 seconds')
      return (await here.world.activity(id)).status !== 'running' && (await here.ended(id))
    })
    assert.equal(status, 'error')
    assert.equal(existsSync(`/proc/${pid}`), false)
    assert.deepEqual(await here.processesOf(id), [])
  })

  test('when the clock has leapt, no runner is silent before the service has noticed that itself', async () => {
    const go = join(here.folder, 'leapt')
    const id = await begin(stage('all', [runs('one', `until [ -e ${go} ]; do sleep 0.05; done`)]))
    await here.until(async () => (await here.processesOf(id)).length > 0)
    const { id: runner } = await here.runner(id)
    await here.vanish()
    await here.world.moveClock('10 minutes')
    const asked = await runnersUnderWay(here.world.database, 'main')
    assert.deepEqual(
      asked.map(({ id, silent, overdue }) => ({ id, silent, overdue })),
      [{ id: runner, silent: false, overdue: false }],
    )
    await here.serve()
    writeFileSync(go, '')
    assert.equal(await here.ended(id), 'success')
  })

  test('a sandboxed step sees its own processes only, and what it leaves ends with it', async () => {
    const id = await begin(
      stage('all', [runs('look', 'setsid sleep 600 > /dev/null 2>&1 & ls /proc | grep -c "^[0-9]"')]),
    )
    assert.equal(await here.ended(id), 'success')
    const [count] = await here.lines(id)
    const sandbox = findBubblewrap() !== undefined
    assert.equal(Number(count) < 10, sandbox)
    await here.until(async () => (await here.processesOf(id)).length === (sandbox ? 0 : 1))
  })

  test('a sandboxed step sees no folder of another change, though it knows the runner, and of its own it does', async () => {
    const other = await begin(stage('all', [runs('long', 'echo token > left; echo ready; sleep 600')]))
    await here.until(async () => (await here.lines(other)).includes('ready'))
    const { id: runner } = await here.runner(other)
    const folder = join(here.folder, 'runners')
    const look = [
      `cat ${folder}/${runner}/work/copy/left && echo read`,
      `echo planted > ${folder}/${runner}/work/copy/planted && echo written`,
      `find ${folder}/${runner} | head -1`,
      `find ${folder} -maxdepth 2 -name work`,
      `ls -A ${folder}/dependencies ${folder}/trees`,
      `touch ${folder}/programs-*/runner/executor.js && echo changed`,
    ]
    const id = await begin(
      stage('all', [runs('look', `${look.map(each => `( ${each} ) 2> /dev/null || true`).join('\n')}\npwd`)]),
    )
    assert.equal(await here.ended(id), 'success')
    const [own, at] = await here.lines(id)
    assert.equal(at, `${own}/copy`)
    assert.equal(existsSync(join(folder, runner, 'work/copy/planted')), false)
    await here.world.cancel(other)
    await here.ended(other)
  })

  test('stopping the runners reports what they ran, and the change ends saying so', async () => {
    const id = await begin(stage('all', [runs('long', 'sleep 600')]))
    await here.until(async () => (await here.processesOf(id)).length > 0)
    await here.stopRunners(10_000)
    assert.equal(await here.ended(id), 'error')
    assert.deepEqual(await here.processesOf(id), [])
    await here.vanish()
    await here.serve()
  })

  test('an artefact is kept by its content, and given only by the runner of its attempt', async () => {
    const id = await begin(stage('all', [runs('make', 'head -c 2500000 /dev/zero > "$SLUICE_ARTEFACTS/zeros"')]))
    assert.equal(await here.ended(id), 'success')
    const kept = await here.world.database.one(sql<{ name: string; byte_size: number; chunks: number }>`
      select name, byte_size, (select count(*)::int from artefact_chunks c where c.sha256 = a.sha256) as chunks
        from artefacts a where activity_id = ${id}`)
    assert.deepEqual(kept, { name: 'zeros', byte_size: 2_500_000, chunks: 3 })
    const answer = await fetch(`${here.url}/runner/artefacts/x/1/y`, {
      method: 'PUT',
      body: 'z',
      headers: { authorization: 'Bearer none' },
    })
    assert.equal(answer.status, 401)
  })

  test('an artefact is kept under its whole path, however long that is in a URL', async () => {
    const folder = Array.from({ length: 4 }, () => 'ü'.repeat(120)).join('/')
    const run = `mkdir -p "$SLUICE_ARTEFACTS/${folder}"; echo deep > "$SLUICE_ARTEFACTS/${folder}/file"`
    const id = await begin(stage('all', [runs('make', run)]))
    assert.equal(await here.ended(id), 'success')
    const kept = await here.world.database.rows(sql`select name from artefacts a where a.activity_id = ${id}`)
    assert.deepEqual(kept, [{ name: `${folder}/file` }])
  })
})
