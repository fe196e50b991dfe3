// Forty light jobs, each started by the end of the one before, as each of these would run them. Plain JavaScript,
// because the compiler checks the product also where its peers are not installed.
import { DBOS } from '@dbos-inc/dbos-sdk'
import { makeWorkerUtils, run } from 'graphile-worker'
import { PgBoss } from 'pg-boss'

/** Milliseconds from the end of each job to the end of the next, but for the first `warmUp`. */
function clock(count, warmUp) {
  const all = count + warmUp
  const ends = []
  const { promise, resolve } = Promise.withResolvers()
  const tick = () => {
    ends.push(performance.now())
    if (ends.length > all)
      resolve(
        ends
          .slice(1)
          .map((end, i) => end - ends[i])
          .slice(warmUp),
      )
    return ends.length <= all
  }
  return { tick, apart: promise }
}

export async function graphileWorker(connectionString, count, warmUp) {
  const utils = await makeWorkerUtils({ connectionString })
  await utils.migrate()
  const { tick, apart } = clock(count, warmUp)
  const step = async (_, { addJob }) => {
    if (tick()) await addJob('step')
  }
  const logger = { scope: () => logger, error() {}, warn() {}, info() {}, debug() {} }
  const runner = await run({ connectionString, concurrency: 1, noHandleSignals: true, logger, taskList: { step } })
  await utils.addJob('step')
  const times = await apart
  await runner.stop()
  await utils.release()
  return times
}

export async function pgBoss(connectionString, count, warmUp) {
  const boss = new PgBoss(connectionString)
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue('step')
  const { tick, apart } = clock(count, warmUp)
  await boss.work('step', { pollingIntervalSeconds: 0.5, batchSize: 1 }, async () => {
    if (tick()) await boss.send('step', {})
  })
  await boss.send('step', {})
  const times = await apart
  await boss.stop({ graceful: false })
  return times
}

export async function dbosSteps(connectionString, count, warmUp) {
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: connectionString, logLevel: 'error', runAdminServer: false })
  const { tick, apart } = clock(count, warmUp)
  const chain = DBOS.registerWorkflow(
    async () => {
      for (let done = 0; done < count; done++) await DBOS.runStep(async () => void tick(), { name: 'step' })
    },
    { name: 'chain' },
  )
  await DBOS.launch()
  // The first step of each follows the end of the workflow before it: of forty one is a little longer.
  for (let done = 0; done <= warmUp + count; done += count) await chain()
  const times = await apart
  await DBOS.shutdown()
  return times
}
