import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Sluice, until, waitForChange } from '../../client/sluice.ts'
import { loadPost, type Post, processesOfActions, runAction, stepsOf, written } from './post.ts'
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

test('a service that is told to stop leaves its actions running, and the next start adopts them', async () => {
  const { id } = await runAction(post, sluice, 'travel')
  await reached(1)
  const began = processesOfActions(post).map(({ pid }) => pid)
  assert.equal(await service.stop(), 0, service.output())
  // The whole second stage is written while there is no service.
  open(1)
  await reached(2)
  assert.ok(processesOfActions(post).some(({ pid }) => began.includes(pid)))
  service = await installation.start()
  open(2)
  open(3)
  const { attributes } = await waitForChange(sluice, id)
  assert.equal(attributes.status_code, 'success')
  const [step] = await stepsOf(sluice, id)
  assert.equal(step?.attributes.attempt, 1)
  const stages = [1, 2, 3].flatMap(stage => Array.from({ length: 400 }, (_, line) => `stage ${stage} line ${line + 1}`))
  assert.deepEqual(await written(sluice, `/api/changes/${id}`), [...stages, 'arrived'])
})

test('with --stop-runners the actions end with the service, and their log says so', async () => {
  await service.stop()
  service = await installation.start({ flags: ['--stop-runners'] })
  const { id } = await runAction(post, sluice, 'wander')
  await onTheWay(id)
  assert.equal(await service.stop(), 0, service.output())
  assert.deepEqual(processesOfActions(post), [])
  service = await installation.start()
  await waitForChange(sluice, id)
  const [step] = await stepsOf(sluice, id)
  assert.deepEqual([step?.attributes.status_code, step?.attributes.error_message], ['error', 'the runner was stopped'])
})

test('at a terminal one Ctrl-C leaves the actions running', async () => {
  await service.stop()
  const { id } = await atTerminal(async terminal => {
    const made = await runAction(post, sluice, 'wander')
    await onTheWay(made.id)
    terminal.ctrlC()
    await terminal.says(/1 step is running and will continue; .* press Ctrl-C again within 5 s/)
    return made
  })
  assert.notDeepEqual(processesOfActions(post), [])
  service = await installation.start()
  await sluice.remove(`/api/changes/${id}`)
  await waitForChange(sluice, id)
  assert.deepEqual(processesOfActions(post), [])
})

test('at a terminal a second Ctrl-C ends the actions too', async () => {
  await service.stop()
  const { id } = await atTerminal(async terminal => {
    const made = await runAction(post, sluice, 'wander')
    await onTheWay(made.id)
    terminal.ctrlC()
    await terminal.says(/press Ctrl-C again within 5 s/)
    terminal.ctrlC()
    return made
  })
  assert.deepEqual(processesOfActions(post), [])
  service = await installation.start()
  const { attributes } = await waitForChange(sluice, id)
  assert.equal(attributes.status_code, 'error')
})

const reached = (stage: number) =>
  until(
    `stage ${stage} is reached`,
    async () => existsSync(join(post.gates, `reached-${stage}`)),
    there => there,
  )

const open = (stage: number) => writeFileSync(join(post.gates, `open-${stage}`), '')

const onTheWay = (id: string) =>
  until(
    'the action runs',
    () => written(sluice, `/api/changes/${id}`),
    lines => lines.includes('on the way'),
  )

interface Terminal {
  ctrlC(): void
  says(pattern: RegExp): Promise<unknown>
}

/** The service in the foreground of a terminal, until it has ended. */
async function atTerminal<T>(work: (terminal: Terminal) => Promise<T>): Promise<T> {
  const { command, env } = installation.foreground()
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env,
    cwd: installation.folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  let from = 0
  child.stdout.setEncoding('utf8').on('data', text => (output += text))
  const says = (pattern: RegExp) =>
    until(
      `the terminal shows ${pattern}`,
      async () => ({ shown: pattern.test(output.slice(from)), output }),
      ({ shown }) => shown,
      { seconds: 60 },
    )
  try {
    await says(/^Ctrl-C stops it\./m)
    return await work({
      ctrlC: () => {
        from = output.length
        child.stdin.write('\x03')
      },
      says,
    })
  } finally {
    await ended
  }
}
