import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RunnerService } from '../../tests/support/runner-service.ts'

const actions = `
import { readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { action, type Step } from '@sluice/actions'
import { greeting } from './greeting.ts'

let runs = 0
action('greet', { description: 'Says hello' }, async (step: Step) => {
  step.log.info('%s, %s', greeting, step.properties['name'])
  step.log.debug('of %d', 2)
  step.log.warn({ port: 80 })
  step.log.error('badly')
  step.log.fatal('worse')
  console.log('printed')
  console.error('complained')
  await step.exec('sh', ['-c', 'echo "from a program: $1"', 'sh', '$(id) "quoted"'])
})
action('count', {}, step => {
  runs += 1
  step.log.info(\`\${process.pid} \${runs} \${process.env['SLUICE_STEP_ID']} \${process.cwd()}\`)
})
action('write', {}, step => {
  const asset = step.propertiesOf('asset')
  asset['port'] = Number(asset['port']) + 1
  ;(asset['hosts'] as string[]).push('b')
  step.propertiesOf('change')
})
action('read only', {}, step => {
  ;(step.properties as { of: [{ name: string }] }).of[0].name = 'mine'
})
action('keep', {}, step => {
  writeFileSync('report.txt', 'all is well')
  step.artefact('report.txt')
  step.artefact('report.txt', { kind: 'report', 'of.part': 'web' })
  step.artefact('report.txt', {}, 'copy.txt')
})
action('keep wrongly', {}, step => {
  writeFileSync('report.txt', 'all is well')
  const { labels, name } = step.properties as { labels: never; name: string }
  step.artefact('report.txt', labels, name)
})
action('mail wrongly', {}, step => step.sendEmail(step.properties['mail'] as never))
action('throw', {}, () => {
  throw new Error('no disk left')
})
action('fail program', {}, step => step.exec('sh', ['-c', 'echo why >&2; exit 7']))
action('may fail', {}, async step => {
  const { exitCode, stdout } = await step.exec('sh', ['-c', 'echo out; exit 7'], { mayFail: true })
  step.log.info(\`\${exitCode} \${stdout}\`)
})
action('exit', {}, () => process.exit(0))
action('reject', {}, async () => {
  void Promise.reject(new Error('nobody waited'))
  await pause(60_000)
})
action('spin', {}, step => {
  step.log.info('spinning')
  for (;;);
})
action('wait', {}, async step => {
  step.log.info('waiting')
  await pause(60_000)
})
action('stop gently', {}, async step => {
  const { signal } = step
  step.log.info('waiting')
  await pause(60_000, undefined, { signal }).catch(() => step.log.info('cleaning up'))
  await step.exec('sh', ['-c', 'echo cleaned up'])
})
action('program that stays', {}, step => step.exec('sh', ['-c', 'trap "" TERM; echo waiting; sleep 600 & wait; wait']))
action('program that heeds', {}, async step => {
  step.signal.addEventListener('abort', () => {})
  const heeds = 'signal.signal(15, lambda *_: print("asked", flush=True)); print("waiting", flush=True)'
  await step.exec('python3', ['-c', 'import signal, time; ' + heeds + '; time.sleep(600)'])
})
action('daemon', {}, () => {
  spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref()
})
action('meet', {}, async step => {
  const [mine, other] = step.properties['sides'] as string[]
  writeFileSync(mine!, '')
  while (!exists(other!)) await pause(5)
})
action('flood', {}, async step => {
  for (let i = 0; i < 100_000; i++) console.log('printed', i)
  for (let i = 0; i < 20_000; i++) step.log.info('logged %d', i)
  await step.exec('seq', ['1', '300000'])
})
action('secret', {}, step => step.log.info(readFileSync('secret.txt', 'utf8')))
const exists = (file: string) => {
  try {
    return readFileSync(file) !== undefined
  } catch {
    return false
  }
}
`

describe('a body that an actions.ts declares', () => {
  const service = new RunnerService({
    'web/actions.ts': actions,
    'web/greeting.ts': "export const greeting: string = 'Hello'\n",
    'web/secret.txt': 'the word is swordfish\n',
    'syntax/actions.ts': "import { action } from '@sluice/actions'\n\naction('a', {}, () => {\n  const = 1\n})\n",
    'thrown/actions.ts':
      "import { action } from '@sluice/actions'\naction('a', { description: 'x' })\nthrow new Error('not today')\n",
    'package/actions.ts': "import 'left-pad'\n",
    'enum/actions.ts': 'enum Colour { Red }\nconsole.log(Colour.Red)\n',
    'loop/actions.ts': 'for (;;);\n',
  })
  let runner: ReturnType<RunnerService['supervise']>
  before(async () => {
    await service.listen()
    runner = service.supervise({ killAfterMilliseconds: 3_000 })
  })
  after(async () => {
    runner.stop('the test is over')
    await runner.ended
    await service.tidy()
  })
  const bodyOf = (action: string) => [{ action, module: 'web/actions.ts' }]
  const start = (action: string, more = {}) => service.run({ folder: 'web', bodies: bodyOf(action), ...more })
  const finish = (action: string, more = {}) => service.finish({ folder: 'web', bodies: bodyOf(action), ...more })
  const why = async (action: string, more = {}) => {
    const { result } = await finish(action, more)
    return [result.outcome, result.errorMessage]
  }

  test('logs what it says, prints and runs, each line under its category', async () => {
    const { result, lines } = await finish('greet', { context: { converged: { name: 'Ann' } } })
    assert.deepEqual([result.outcome, result.exitCode, result.errorMessage], ['success', 0, null])
    const of = (wanted: string) => lines.filter(([, category]) => category === wanted).map(([, , message]) => message)
    const said = ['Hello, Ann', 'debug: of 2', 'warn: { port: 80 }', 'error: badly', 'fatal: worse']
    assert.deepEqual(of('action'), said)
    assert.deepEqual(of('stdout'), ['printed', 'from a program: $(id) "quoted"'])
    assert.deepEqual(of('stderr'), ['complained'])
  })

  test('finds its process warm when it runs after another, and its own environment', async () => {
    const [first, second] = [await finish('count'), await finish('COUNT')]
    const [pid, runs, step, folder] = second.text[0]!.split(' ')
    assert.equal(first.text[0]!.split(' ')[0], pid)
    assert.equal(Number(runs), Number(first.text[0]!.split(' ')[1]) + 1)
    assert.equal(step, second.result.stepId)
    assert.match(folder!, /\/copy\/web$/)
  })

  test('writes properties by changing them, and the difference is the patch', async () => {
    const properties = { asset: { port: 80, hosts: ['a'] }, change: {} }
    const { result } = await finish('write', { context: { properties } })
    assert.deepEqual(result.propertiesDiffs, {
      asset: [
        { op: 'replace', path: '/port', value: 81 },
        { op: 'add', path: '/hosts/-', value: 'b' },
      ],
    })
    const [outcome, message] = await why('read only', { context: { converged: { of: [{ name: 'theirs' }] } } })
    assert.equal(outcome, 'error')
    assert.match(String(message), /^web\/actions\.ts:\d+:\d+: Cannot assign to read only property 'name'/)
  })

  test('keeps files as artefacts', async () => {
    const { result } = await finish('keep')
    assert.deepEqual(result.artefacts.map(({ name, byteSize }) => [name, byteSize]).sort(), [
      ['copy.txt', 11],
      ['report.txt', 11],
    ])
    const labelled = [...service.labels].map(([url, labels]) => [url.split('/').at(-1)!.split('?')[0], labels])
    assert.deepEqual(labelled, [['report.txt', { kind: 'report', 'of.part': 'web' }]])
  })

  test('refuses labels and names that cannot be kept, and says why', async () => {
    const wrong = [
      [{ labels: 'copy.txt', name: 'a' }, 'labels are an object of texts, such as {"kind": "report"}.'],
      [{ labels: { size: 7 }, name: 'a' }, 'the label "size" is no text.'],
      [{ labels: { a: 'é'.repeat(3_000) }, name: 'a' }, 'the labels have 6008 bytes as JSON; at most 4096 are kept.'],
      [{ labels: {}, name: '../up' }, '"../up" is no name of a file.'],
    ] as const
    for (const [converged, expected] of wrong) {
      const [outcome, message] = await why('keep wrongly', { context: { converged } })
      assert.equal(outcome, 'error')
      assert.equal(String(message).replace(/^web\/actions\.ts:\d+:\d+: /, ''), `artefact("report.txt"): ${expected}`)
    }
  })

  test('refuses what is no mail before anything is sent, and says all that is wrong with it', async () => {
    const parts = 'to, cc, bcc, replyTo, subject, text, html, attachments'
    const whole = { to: 'ann@example.org', subject: 'done', text: 'It is' }
    const like = 'a mail is an object, such as { to: "ann@example.org", subject: "Done", text: "It is installed" }.'
    const wrong = [
      ['ann@example.org', like],
      [{ ...whole, body: 'x', To: 'y' }, `a mail has no body; it has ${parts}; a mail has no To; it has ${parts}.`],
      [{}, 'to is missing; subject is missing; text or html, or both, should be there.'],
      [
        { ...whole, to: 7, cc: ['a', 7], subject: ['x'] },
        'to should be an address such as "ann@example.org", or a list of them; cc should be an address such as "ann@example.org", or a list of them; subject should be a text.',
      ],
      [
        { ...whole, attachments: 'a.txt' },
        'attachments should be a list of files, such as ["report.txt", { file: "out/1.txt", name: "first.txt" }].',
      ],
      [{ ...whole, attachments: ['nowhere.txt'] }, 'the attachment "nowhere.txt" cannot be read (ENOENT).'],
      [{ ...whole, attachments: ['.'] }, 'the attachment "." is no file.'],
    ] as const
    for (const [mail, expected] of wrong) {
      const [outcome, message] = await why('mail wrongly', { context: { converged: { mail } } })
      assert.equal(outcome, 'error')
      assert.ok(String(message).endsWith(`sendEmail: ${expected}`), `${message}, and not ${expected}`)
    }
  })

  test('fails with what was thrown, where it was, and what a program ended with', async () => {
    const thrown = await finish('throw')
    assert.match(String(thrown.result.errorMessage), /^web\/actions\.ts:\d+:9: no disk left$/)
    assert.match(thrown.text.join('\n'), /Error: no disk left\n {4}at .*web\/actions\.ts/)
    const program = await finish('fail program')
    assert.equal(program.result.exitCode, 7)
    assert.match(String(program.result.errorMessage), /sh: exit code 7$/)
    assert.deepEqual((await finish('may fail')).text, ['out', '7 out', ''])
  })

  test('that ends its process, or leaves a rejection to nobody, fails in words, and the next one runs', async () => {
    assert.deepEqual(await why('exit'), ['error', "the action's process ended (exit code 0) before the action did"])
    const [outcome, message] = await why('reject')
    assert.deepEqual([outcome, /nobody waited$/.test(String(message))], ['error', true])
    assert.deepEqual(await why('count'), ['success', null])
    assert.deepEqual(await why('gone'), ['error', 'web/actions.ts declares no action "gone" with a body any more.'])
  })

  test('that never ends is ended when its time is up or it is cancelled, and costs the runner nothing', async () => {
    assert.deepEqual(await why('spin', { timeoutSeconds: 0.5 }), ['error', 'timed out after 0.5 s'])
    const { stepId, attempt, fence } = start('spin')
    await service.until(() => service.lines(stepId).length > 0)
    const meanwhile = await finish('count')
    assert.equal(meanwhile.result.outcome, 'success')
    service.say({ type: 'cancel', stepId, attempt, fence, reason: 'cancelled by ann' })
    const result = await service.result(stepId)
    assert.deepEqual([result.outcome, result.errorMessage], ['cancelled', 'cancelled by ann'])
  })

  test('learns of a cancel by its signal, if it asks for that; one that does not ends at once', async () => {
    const cancelled = async (action: string) => {
      const { stepId, attempt, fence } = start(action)
      await service.until(() => service.lines(stepId).length > 0)
      service.say({ type: 'cancel', stepId, attempt, fence, reason: 'cancelled by ann' })
      const { outcome } = await service.result(stepId)
      return [outcome, ...service.lines(stepId).map(([, , message]) => message)]
    }
    assert.deepEqual(await cancelled('stop gently'), [
      'cancelled',
      'waiting',
      'cleaning up',
      'cleaned up',
      'cancelled by ann',
    ])
    assert.deepEqual(await cancelled('wait'), ['cancelled', 'waiting', 'cancelled by ann'])
    assert.deepEqual((await cancelled('program that stays')).slice(0, 2), ['cancelled', 'waiting'])
    // A program that is asked a second time may leave without having cleaned up.
    assert.deepEqual(await cancelled('program that heeds'), ['cancelled', 'waiting', 'asked', 'cancelled by ann'])
    assert.deepEqual(
      service.processes().filter(({ name }) => name === 'sleep'),
      [],
    )
  })

  test('may write as much as it likes: every line arrives, none in another step', async () => {
    const { result, lines } = await finish('flood')
    assert.equal(result.errorMessage, null)
    const numbers = (of: RegExp) => lines.flatMap(([, , message]) => of.exec(message)?.[1] ?? []).map(Number)
    const isUpTo = (of: RegExp, n: number, from: number) => {
      const found = numbers(of)
      // A comparison of this many lines would take minutes to report how they differ.
      assert.equal(found.length, n)
      assert.equal(
        found.findIndex((number, i) => number !== i + from),
        -1,
      )
    }
    isUpTo(/^printed (\d+)$/, 100_000, 0)
    isUpTo(/^logged (\d+)$/, 20_000, 0)
    isUpTo(/^(\d+)$/, 300_000, 1)
    assert.equal((await finish('count')).lines.length, 1)
  })

  test('may leave a daemon, which the failure of a later step does not end', async () => {
    const { result } = await finish('daemon')
    assert.equal(result.outcome, 'success')
    await finish('throw')
    assert.deepEqual(
      service.processes([`SLUICE_STEP_ID=${result.stepId}`]).map(({ name }) => name),
      ['sleep'],
    )
  })

  test('runs beside others of its change, each in a process of its own', async () => {
    const sides = (...names: string[]) => ({ context: { converged: { sides: names } } })
    const both = [start('meet', sides('left', 'right')), start('meet', sides('right', 'left'))]
    const results = await Promise.all(both.map(({ stepId }) => service.result(stepId)))
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['success', 'success'],
    )
  })

  test('has what it must not show masked, wherever it writes it', async () => {
    const { text } = await finish('secret', { secrets: ['swordfish'] })
    assert.equal(text[0], 'the word is ***')
  })

  test('leaves no process behind when its runner ends', async () => {
    const other = new RunnerService({
      'actions.ts': "import { action } from '@sluice/actions'\naction('a', {}, () => {})\n",
    })
    await other.listen()
    const its = other.supervise()
    assert.equal((await other.finish({ bodies: [{ action: 'a', module: 'actions.ts' }] })).result.outcome, 'success')
    its.stop('the test is over')
    await its.ended
    while (other.processes().length > 0) await new Promise(resolve => setImmediate(resolve))
    await other.tidy()
  })

  describe('of a file that is asked what it declares', () => {
    const list = (folder: string, more = {}) =>
      service.finish({ folder, bodies: [{ action: 'list', module: `${folder}/actions.ts`, lists: true }], ...more })

    test('is listed with its place and its options', async () => {
      const { result } = await list('web')
      const listed = result.outputs!['actions'] as { name: string; at: { line: number } }[]
      const line = actions.split('\n').findIndex(each => each.startsWith("action('greet'")) + 1
      assert.deepEqual(listed[0], {
        name: 'greet',
        entry: { description: 'Says hello' },
        program: true,
        at: { file: 'web/actions.ts', line, column: 1 },
      })
    })

    test('is told file, line and column of what is wrong', async () => {
      const wrong = async (folder: string) => (await list(folder)).result.errorMessage ?? ''
      assert.match(await wrong('syntax'), /^syntax\/actions\.ts:4:9: /)
      assert.match(await wrong('thrown'), /^thrown\/actions\.ts:3:7: not today$/)
      assert.match(await wrong('package'), /^package\/actions\.ts:1:1: Cannot find package 'left-pad'/)
      assert.match(await wrong('enum'), /^enum\/actions\.ts:1:1: .*enum/)
      const { result } = await list('loop', { timeoutSeconds: 0.5 })
      assert.equal(result.errorMessage, 'timed out after 0.5 s')
    })
  })
})
