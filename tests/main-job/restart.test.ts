import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Sluice, until, waitForChange } from '../../client/sluice.ts'
import { loadPost, type Post, processesOfActions, runAction, stepsOf, written } from './post.ts'
import { ancestorsOf, isAlive, type RunningProcess } from './process-table.ts'
import { type Installation, newInstallation, type ServiceProcess } from './service-process.ts'

let installation: Installation
let service: ServiceProcess
let sluice: Sluice
let post: Post

before(async () => {
  installation = await newInstallation()
  service = await installation.start()
  sluice = installation.asAdmin()
  post = await loadPost(sluice, installation.folder)
})
after(() => installation.remove())

test('a service that is killed while an action runs costs nothing: the action goes on, once, and no line is lost', async () => {
  const { id } = await runAction(post, sluice, 'travel')
  await reached(1)
  await until(
    'the first stage is in the log',
    () => written(sluice, `/api/changes/${id}`),
    lines => lines.length === 400,
  )
  const shell = actionShell()

  const killed = service.pid
  await service.kill()
  assert.ok(!isAlive(killed))
  // The whole second stage is written while there is no service.
  open(1)
  await reached(2)
  assert.deepEqual(actionShell(), shell)

  service = await installation.start()
  await until(
    'the second stage is in the log',
    () => written(sluice, `/api/changes/${id}`),
    lines => lines.length >= 800,
  )
  for (const { pid, command } of processesOfActions(post))
    assert.ok(!ancestorsOf(pid).includes(service.pid), `the service is an ancestor of ${command}`)
  assert.deepEqual(actionShell(), shell)
  const [step] = await stepsOf(sluice, id)
  assert.equal(step?.attributes.status_code, 'running')

  open(2)
  open(3)
  const { attributes } = await waitForChange(sluice, id)
  assert.equal(attributes.status_code, 'success')
  const [ended] = await stepsOf(sluice, id)
  assert.equal(ended?.attributes.attempt, 1)
  assert.deepEqual(await written(sluice, `/api/changes/${id}`), journey())
})

test('a change that was asked for just before a kill runs after the restart', async () => {
  const { id } = await runAction(post, sluice, 'deliver')
  await service.kill()
  service = await installation.start()
  const { attributes } = await waitForChange(sluice, id)
  assert.equal(attributes.status_code, 'success')
  const steps = await stepsOf(sluice, id)
  assert.deepEqual([...new Set(steps.map(step => step.attributes.status_code))], ['success'])
})

test('stopped in order and started again, several times over, the service ends well each time', async () => {
  for (let times = 0; times < 4; times++) {
    assert.equal(await service.stop(), 0, service.output())
    service = await installation.start()
  }
  assert.deepEqual((await sluice.list('/api/changes')).length, 2)
})

const reached = (stage: number) =>
  until(
    `stage ${stage} is reached`,
    async () => existsSync(join(post.gates, `reached-${stage}`)),
    there => there,
  )

const open = (stage: number) => writeFileSync(join(post.gates, `open-${stage}`), '')

/** The process that runs the script itself. A forked child that has not yet executed a program looks the same. */
function actionShell(): RunningProcess {
  const alike = processesOfActions(post).filter(({ command }) => command.startsWith('bash '))
  const shells = alike.filter(({ pid }) => isAlive(pid) && !alike.some(other => ancestorsOf(pid).includes(other.pid)))
  assert.equal(shells.length, 1, JSON.stringify(shells))
  return shells[0]!
}

function journey(): string[] {
  const stages = [1, 2, 3].flatMap(stage => Array.from({ length: 400 }, (_, line) => `stage ${stage} line ${line + 1}`))
  return [...stages, 'arrived']
}
