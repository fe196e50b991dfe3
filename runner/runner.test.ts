import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Attempt } from '../protocol/runner-protocol.ts'
import { body, RunnerService } from '../tests/support/runner-service.ts'
import { findBubblewrap } from './sandbox/sandbox.ts'

describe('a runner', () => {
  const service = new RunnerService({
    'web/greeting.txt': 'hello from the commit\n',
    'web/say.sh': 'cat greeting.txt\n',
  })
  let runner: ReturnType<RunnerService['supervise']>
  before(async () => {
    await service.listen()
    runner = service.supervise({ killAfterMilliseconds: 300 })
  })
  after(async () => {
    runner.stop('the test is over')
    await runner.ended
    await service.tidy()
  })
  const another = async (times: { killAfterMilliseconds?: number }, start: { sandbox?: boolean } = {}) => {
    const other = new RunnerService()
    await other.listen()
    const its = other.supervise(times, start)
    const over = async () => {
      its.stop('the test is over')
      await its.ended
      await other.tidy()
    }
    return { service: other, over }
  }
  const attemptOf = ({ stepId, attempt, fence }: Attempt) => ({ stepId, attempt, fence })

  test('runs a script in its folder of the commit and reports its lines and its success', async () => {
    const { result, text } = await service.finish({ folder: 'web', run: 'bash say.sh; echo complaint >&2' })
    assert.equal(result.outcome, 'success')
    assert.deepEqual([result.exitCode, result.errorMessage], [0, null])
    assert.deepEqual(text.toSorted(), ['complaint', 'hello from the commit'])
  })

  test('says which exit code, signal or time ended a step', async () => {
    const why = async (step: Parameters<typeof service.finish>[0]) => {
      const { result } = await service.finish(step)
      return [result.outcome, result.exitCode, result.errorMessage]
    }
    assert.deepEqual(await why({ run: 'exit 3' }), ['error', 3, 'exit code 3'])
    assert.deepEqual(await why({ run: 'kill -9 $$' }), ['error', null, 'killed by SIGKILL'])
    assert.deepEqual(await why({ run: 'sleep 60', timeoutSeconds: 0.2 }), ['error', null, 'timed out after 0.2 s'])
    const deaf = `trap '' TERM; setsid sleep 100120 & until [ -e never ]; do sleep 0.02; done`
    assert.deepEqual(await why({ run: deaf, timeoutSeconds: 0.2 }), ['error', null, 'timed out after 0.2 s'])
    assert.deepEqual(
      service.processes().filter(({ name }) => name === 'sleep'),
      [],
    )
    // Longer than a timer of Node's holds, which would end it at once.
    const aMonth = { run: 'sleep 0.2', timeoutSeconds: 31 * 86_400 }
    assert.deepEqual(await why(aMonth), ['success', 0, null])
    assert.deepEqual(await why({ run: 'true', folder: 'no/where' }), [
      'error',
      null,
      'the repository has no folder no/where',
    ])
  })

  test('runs prerequisites first and stops at the one that fails', async () => {
    const fails = { ...body('echo checking; exit 4'), action: 'check_disk' }
    const { result, text } = await service.finish({ bodies: [body('echo first'), fails, body('echo never')] })
    assert.equal(result.errorMessage, 'prerequisite check_disk: exit code 4')
    assert.deepEqual(text, ['first', 'checking'])
  })

  test('gives a step the environment of the protocol and nothing of the service', async () => {
    process.env['SECRET_OF_THE_SERVICE'] = 'seen'
    const step = { run: 'env', env: { FROM_STEP: '$(touch pwned) "quoted"', SLUICE_STEP_ID: 'forged' } }
    const { result, text } = await service.finish(step)
    const env = new Map(text.map(line => line.split(/=(.*)/s) as [string, string]))
    assert.equal(env.get('FROM_STEP'), '$(touch pwned) "quoted"')
    assert.equal(env.get('SLUICE_STEP_ID'), result.stepId)
    assert.equal(env.get('SLUICE_ATTEMPT'), '1')
    assert.equal(env.get('SLUICE_API_URL'), service.url)
    assert.equal(env.get('SLUICE_API_TOKEN'), '***')
    assert.equal(env.has('SECRET_OF_THE_SERVICE'), false)
  })

  test('hands over the context, and takes the result that the step writes', async () => {
    const run = `
      import json, os
      context = json.load(open(os.environ['SLUICE_STEP_CONTEXT']))
      json.dump({'properties_diffs': {'asset': [{'op': 'add', 'path': '/port', 'value': context['port'] + 1}]},
                 'outputs': {'url': 'http://x'}}, open(os.environ['SLUICE_STEP_RESULT'], 'w'))`
    const bodies = [body(run.replaceAll('\n      ', '\n'), ['python3'])]
    const { result } = await service.finish({ bodies, context: { port: 8080 } })
    assert.equal(result.errorMessage, null)
    assert.deepEqual(result.propertiesDiffs, { asset: [{ op: 'add', path: '/port', value: 8081 }] })
    assert.deepEqual(result.outputs, { url: 'http://x' })
  })

  test('fails a step whose result is malformed, naming what is wrong', async () => {
    const { result } = await service.finish({ run: `echo '{"outputs": [1]}' > "$SLUICE_STEP_RESULT"` })
    assert.deepEqual(
      [result.outcome, result.errorMessage],
      ['error', 'step_result.json is malformed: outputs is not an object'],
    )
    const linked = await service.finish({ run: 'ln -s /etc/hostname "$SLUICE_STEP_RESULT"' })
    assert.equal(linked.result.errorMessage, 'step_result.json cannot be read: it is a link')
  })

  test('writes the files that the step is given, and none outside of its copy', async () => {
    const file = (path: string, mode?: string) => ({ path, content: btoa('x=1'), ...(mode && { mode }) })
    const { text } = await service.finish({ files: [file('conf/a.ini', '0640')], run: 'stat -c "%a %n" conf/a.ini' })
    assert.deepEqual(text, ['640 conf/a.ini'])
    for (const path of ['../a', '/tmp/a', 'conf/../../a']) {
      const { result } = await service.finish({ files: [file(path)] })
      assert.equal(result.errorMessage, `sluice.files: ${path} is outside of the working copy`)
    }
  })

  test('keeps what a step leaves as artefacts, byte for byte', async () => {
    const run =
      'mkdir "$SLUICE_ARTEFACTS/deep"; head -c 3000000 /dev/urandom > "$SLUICE_ARTEFACTS/deep/big.bin"; echo -n > "$SLUICE_ARTEFACTS/empty"; sha256sum < "$SLUICE_ARTEFACTS/deep/big.bin"'
    const { result, text } = await service.finish({ run })
    const about = result.artefacts.toSorted((a, b) => b.byteSize - a.byteSize)
    assert.deepEqual(
      about.map(({ name, byteSize }) => [name, byteSize]),
      [
        ['deep/big.bin', 3_000_000],
        ['empty', 0],
      ],
    )
    assert.equal(text[0]?.slice(0, 64), about[0]?.sha256)
    const kept = service.artefacts.get(`/runner/artefacts/${result.stepId}/1/deep/big.bin?fence=1`)
    assert.equal(kept?.length, 3_000_000)
  })

  test('keeps of an artefact that a daemon goes on writing what was there when the step ended', async () => {
    const run = `for ((i = 0; i < 2000000; i++)); do echo tick; done > "$SLUICE_ARTEFACTS/log" &
      until [ -s "$SLUICE_ARTEFACTS/log" ]; do sleep 0.01; done`
    const { result } = await service.finish({ run })
    assert.deepEqual([result.outcome, result.errorMessage], ['success', null])
    const kept = service.artefacts.get(`/runner/artefacts/${result.stepId}/1/log?fence=1`)
    assert.equal(kept?.length, result.artefacts[0]?.byteSize)
  })

  test('keeps what a step says of its artefacts as their labels, and says what of it cannot be kept', async () => {
    const finish = async (labels: string) => {
      const run = `echo fine >"$SLUICE_ARTEFACTS/report.txt"; printf %s ${labels} >"$SLUICE_ARTEFACT_LABELS"`
      const { result } = await service.finish({ run })
      assert.deepEqual([result.outcome, result.artefacts.map(({ name }) => name)], ['success', ['report.txt']])
      const said = service.lines(result.stepId).map(([, , message]) => message)
      return [service.labels.get(`/runner/artefacts/${result.stepId}/1/report.txt?fence=1`), ...said]
    }
    const none = 'the artefacts are kept without labels: artefact_labels.json'
    assert.deepEqual(await finish(`'{"report.txt": {"kind": "report"}}'`), [{ kind: 'report' }])
    assert.deepEqual(await finish(`'{"other": {"kind": "report"}}'`), [
      undefined,
      'the labels of other are not kept: the step left no such artefact',
    ])
    assert.deepEqual(await finish(`'{"report.txt": {"size": 7}}'`), [
      undefined,
      `${none} is malformed at "report.txt": the label "size" is no text`,
    ])
    assert.deepEqual(await finish(`'[]'`), [undefined, `${none} should be {"<name of a file>": {"<label>": "<text>"}}`])
    assert.match(String((await finish(`'{"report.txt"'`))[1]), new RegExp(`^${none} is no JSON: `))
  })

  test('keeps no artefact that is none, and goes by no link out of the folders of its steps', async () => {
    const secret = join(await mkdtemp(join(tmpdir(), 'sluice-hidden-')), 'secret')
    await writeFile(secret, 'not for steps')
    const odd = `echo fine > "$SLUICE_ARTEFACTS/fine"; cd "$SLUICE_ARTEFACTS"; ln -s /nowhere gone; ln -s ${secret} secret; mkfifo pipe`
    const { result, text } = await service.finish({ run: odd })
    assert.equal(result.outcome, 'success', text.join('\n'))
    assert.deepEqual(
      result.artefacts.map(({ name }) => name),
      ['fine'],
    )
    const said = service.lines(result.stepId).map(([, , message]) => message)
    assert.equal(said.filter(line => line.endsWith('is not kept: it is no ordinary file')).length, 3)

    const swapped = `rm -r "$SLUICE_ARTEFACTS"; ln -s ${dirname(secret)} "$SLUICE_ARTEFACTS"`
    assert.deepEqual((await service.finish({ run: swapped })).result.artefacts, [])
    const moved = `own=$(dirname "$SLUICE_STEP_RESULT"); mv "$own" "$own.away"; ln -s ${dirname(secret)} "$own"`
    const elsewhere = await service.finish({ run: moved })
    assert.match(elsewhere.result.errorMessage ?? '', /is no folder any more/)
    const back = { run: 'echo "{}" > "$SLUICE_STEP_RESULT"' }
    assert.equal((await service.finish(back)).result.outcome, 'success')
    await rm(dirname(secret), { recursive: true })
  })

  test('runs parallel steps at the same time, in one working copy', async () => {
    const first = service.run({ run: 'until [ -e met ]; do sleep 0.01; done; touch met-too' })
    const second = service.run({ run: 'touch met; until [ -e met-too ]; do sleep 0.01; done' })
    const results = await Promise.all([service.result(first.stepId), service.result(second.stepId)])
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['success', 'success'],
    )
  })

  test('on cancel ends everything that the step started, also what left its session', async () => {
    const leaving = `setsid bash -c 'trap "" TERM; while :; do sleep 0.05; done' & setsid setsid env -u SLUICE_STEP_ID sleep 600 & echo ready; wait`
    const { stepId, attempt, fence } = service.run({ run: leaving })
    await service.until(() => service.lines(stepId).length > 0)
    assert.ok(service.processes([`SLUICE_STEP_ID=${stepId}`]).length >= 2)
    service.say({ type: 'cancel', stepId, attempt, fence, reason: 'cancelled by ann' })
    const result = await service.result(stepId)
    assert.deepEqual([result.outcome, result.errorMessage], ['cancelled', 'cancelled by ann'])
    assert.deepEqual(service.processes([`SLUICE_STEP_ID=${stepId}`]), [])
    assert.deepEqual(
      service.processes().filter(({ name }) => name === 'sleep'),
      [],
    )
  })

  test('asks a program to end once, and not again where what started it has ended over that', async () => {
    const heeding = `bash -c 'trap "echo asked" TERM; echo ready; while :; do sleep 0.01; done'; echo never`
    const { stepId, attempt, fence } = service.run({ run: heeding })
    await service.until(() => service.lines(stepId).length > 0)
    service.say({ type: 'cancel', stepId, attempt, fence, reason: 'cancelled by ann' })
    assert.equal((await service.result(stepId)).outcome, 'cancelled')
    const said = service.lines(stepId).map(([, , message]) => message)
    assert.deepEqual(
      said.filter(line => line === 'asked'),
      ['asked'],
    )
  })

  test('lets a clean-up start programs until its time is over, and then kills all that is left', async t => {
    const { service: other, over: end } = await another({ killAfterMilliseconds: 4_000 })
    t.after(end)
    const cancelled = async (run: string, interpreter?: string[]) => {
      const step = other.run({ bodies: [body(run, interpreter)] })
      await other.until(() => other.lines(step.stepId).some(([, , message]) => message === 'ready'))
      other.say({ type: 'cancel', ...attemptOf(step), reason: 'cancelled by ann' })
      const { outcome } = await other.result(step.stepId)
      return [outcome, ...withoutShell(other.lines(step.stepId).map(([, , message]) => message))]
    }
    // Its own word about the program that it waited for.
    const withoutShell = (lines: string[]) => lines.filter(line => !line.includes('Terminated'))
    // Each of these is a program of its own, below others, and the last one is of another session.
    const trap = `clean() { sleep 0.3; echo $(sleep 0.2; echo unlocking) | cat; setsid -w bash -c 'sleep 0.2; echo unlocked'; exit 1; }
      trap clean TERM; echo ready; while :; do sleep 0.05; done`
    const over = ['cancelled', 'ready', 'unlocking', 'unlocked', 'cancelled by ann']
    assert.deepEqual(await cancelled(trap, ['bash']), over)
    const handler = `
import signal, subprocess, sys, time
def clean(*_):
    print(subprocess.run(['sh', '-c', 'sleep 0.3; echo unlocking'], capture_output=True, text=True).stdout.strip(), flush=True)
    subprocess.run(['sh', '-c', 'sleep 0.2; echo unlocked'])
    sys.exit(1)
signal.signal(signal.SIGTERM, clean)
print('ready', flush=True)
while True: time.sleep(0.05)`
    assert.deepEqual(await cancelled(handler, ['python3']), over)
    // A clean-up that starts what never ends.
    const endless = `trap 'trap "" TERM; setsid sleep 100121 & wait' TERM; echo ready; while :; do sleep 0.05; done`
    assert.deepEqual(await cancelled(endless, ['bash']), ['cancelled', 'ready', 'cancelled by ann'])
    assert.deepEqual(
      other.processes().filter(({ name }) => name === 'sleep'),
      [],
    )
    const timedOut = await other.finish({ bodies: [body(trap, ['bash'])], timeoutSeconds: 1 })
    assert.equal(timedOut.result.errorMessage, 'timed out after 1 s')
    assert.deepEqual(withoutShell(timedOut.text), ['ready', 'unlocking', 'unlocked'])
  })

  test('takes nobody for its own who only shares the session that it was started in', async () => {
    const bystander = spawn('sleep', ['600'])
    await service.finish({ run: 'true' })
    const pids = service.processes().map(({ pid }) => pid)
    bystander.kill()
    assert.ok(pids.length > 0)
    assert.ok(!pids.includes(bystander.pid!))
  })

  /** Shell code that waits until the background process is `sleep`: before that it is the shell, or setsid. */
  const untilItSleeps = 'until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done;'

  test('leaves a daemon of a successful step running, and ends one of a failed step', async () => {
    const daemon = `setsid sleep 600 > /dev/null 2>&1 & ${untilItSleeps} `
    const kept = await service.finish({ run: daemon })
    const [left, ...more] = service.processes([`SLUICE_STEP_ID=${kept.result.stepId}`])
    assert.equal(more.length, 0)
    assert.deepEqual(
      kept.lines.map(([, category, message]) => `${category}: ${message}`),
      [`runner: A process that the step left running continues: sleep 600 (${left!.pid})`],
    )
    const two = await service.finish({
      run: `${daemon} (exec -a hidden-word sleep 601) & ${untilItSleeps}`,
      secrets: ['hidden-word'],
    })
    const [line, ...others] = two.lines.map(([, , message]) => message)
    assert.match(line!, /^2 processes that the step left running continue: .*sleep 600 \(\d+\)/)
    assert.match(line!, /\*\*\* 601 \(\d+\)/)
    assert.deepEqual(others, [])
    const failed = await service.finish({ run: `${daemon} exit 1` })
    assert.equal(service.processes([`SLUICE_STEP_ID=${failed.result.stepId}`]).length, 0)
  })

  test('ends what a step left in a sandbox, and says so', async t => {
    const { service: other, over } = await another({}, { sandbox: true })
    t.after(over)
    const { result, lines } = await other.finish({ run: `setsid sleep 602 > /dev/null 2>&1 & ${untilItSleeps}` })
    const [line, ...more] = lines.map(([, , message]) => message)
    assert.deepEqual([result.outcome, more], ['success', []])
    const becomes = findBubblewrap() ? 'is ended' : 'goes on'
    assert.match(line!, new RegExp(`^A process that the step left running ${becomes}: sleep 602 \\(\\d+\\)$`))
    const isLeft = () => other.processes([`SLUICE_STEP_ID=${result.stepId}`]).some(({ name }) => name === 'sleep')
    if (!findBubblewrap()) return assert.ok(isLeft())
    while (isLeft()) await new Promise(resolve => setImmediate(resolve))
  })

  test('runs one script after the other below the same process, until something is left below it', async () => {
    const parentOf = async (run: string) => (await service.finish({ run: `echo $PPID; ${run}` })).text[0]
    const first = await parentOf('true')
    assert.equal(await parentOf('setsid sleep 600 > /dev/null 2>&1 &'), first)
    const other = await parentOf('true')
    assert.notEqual(other, first)
    assert.equal(await parentOf('exit 1'), other)
    assert.notEqual(await parentOf('true'), other)
  })

  test('goes on when a script ends the process that it runs below', async () => {
    const { result } = await service.finish({ run: 'setsid sleep 600 & kill -9 $PPID; wait' })
    assert.deepEqual([result.outcome, result.errorMessage], ['error', 'killed by SIGKILL'])
    assert.deepEqual(service.processes([`SLUICE_STEP_ID=${result.stepId}`]), [])
    assert.deepEqual((await service.finish({ run: 'echo on' })).text, ['on'])
  })

  test('lets a script open its standard output and error by their names', async () => {
    const { lines } = await service.finish({
      run: 'echo complaint > /dev/stderr; echo said > /dev/stdout',
    })
    assert.deepEqual(lines.map(([, category, message]) => `${category}: ${message}`).toSorted(), [
      'stderr: complaint',
      'stdout: said',
    ])
  })

  test('lets a step find nothing of the one before it in its folder, whatever that did there', async () => {
    const list = 'cd "$(dirname "$SLUICE_STEP_RESULT")"; ls -A; ls -A artefacts; stat -c %a *; cat step_context.json'
    const found = async () => (await service.finish({ run: list, context: { n: 1 } })).text
    const clean = ['artefacts', 'script-1', 'step_context.json', '700', '700', '600', '{"n":1}']
    const context = { long: 'x'.repeat(10_000) }
    const odd = [
      'true',
      'touch more',
      'chmod 644 step_context.json',
      'ln -f step_context.json ../kept',
      'rm -r artefacts',
    ]
    for (const each of [...odd, 'touch artefacts/a', 'ln -sf /etc/hostname script-1', 'echo "{}" > step_result.json']) {
      const { result } = await service.finish({ context, run: `cd "$(dirname "$SLUICE_STEP_RESULT")"; ${each}` })
      assert.equal(result.outcome, 'success', each)
      assert.deepEqual(await found(), clean, each)
    }
  })

  test('refuses to give a program what no program can be given', async () => {
    const { result } = await service.finish({ run: 'true', env: { A: 'b\0C=d' } })
    assert.equal(result.errorMessage, 'no program can be given a NUL: "A=b\\u0000C=d" holds one')
  })

  test('does not wait for a daemon that holds the log open', async () => {
    const { result, text } = await service.finish({ run: 'echo before; sleep 600 & echo after' })
    assert.equal(result.outcome, 'success')
    assert.deepEqual(text, ['before', 'after'])
  })

  test('does not wait for a daemon that goes on writing, and loses nothing of what came before the end', async () => {
    const talks = 'while :; do echo tick || exit; sleep 0.02; done'
    for (const daemon of [`(${talks}) &`, 'yes tick &']) {
      const { result, text } = await service.finish({ run: `seq 10000; ${daemon} echo last` })
      assert.equal(result.outcome, 'success')
      assert.deepEqual(
        // The last one may be cut off.
        text.filter(line => !'tick'.startsWith(line)),
        [...Array.from({ length: 10_000 }, (_, i) => String(i + 1)), 'last'],
      )
    }
  })

  test('masks what the step must not show, also across pieces of output and in its error', async () => {
    const secret = 'p@ss/w0rd+"ä"'
    const run =
      'printf "one p@ss"; sleep 0.05; printf "/w0rd+\\"ä\\"\\n"; printf %s "$S" | base64; printf %s "$S" | od -An -tx1 | tr -d " \\n"; printf "last $S"'
    const { text } = await service.finish({ run, env: { S: secret }, secrets: [secret] })
    assert.equal(text.join('\n').match(/\*\*\*/g)?.length, 4)
    assert.equal(text[0], 'one ***')
    assert.doesNotMatch(text.join('\n'), /p@ss|w0rd/)
  })

  test('masks what it is told to while a step runs, and says when it does; and what it is asked for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-gate-'))
    const go = join(folder, 'go')
    const { stepId, attempt, fence } = service.run({
      run: `echo "before: swordfish"; until [ -e '${go}' ]; do sleep 0.02; done; echo "after: swordfish"`,
    })
    await service.until(() => service.lines(stepId).length > 0)
    const id = '01a20000-0000-7000-8000-000000000001'
    service.say({ type: 'mask', stepId, attempt, fence, id, secret: 'swordfish' })
    await service.until(() => service.masked.includes(id))
    const texts = ['a swordfish', 'one word', Buffer.from('swordfish').toString('hex')]
    service.say({ type: 'mask_texts', stepId, attempt, fence, id, texts })
    await service.until(() => service.maskedTexts.length > 0)
    assert.deepEqual(service.maskedTexts, [['a ***', 'one word', '***']])
    await writeFile(go, '')
    await service.result(stepId)
    assert.deepEqual(
      service.lines(stepId).map(([, , message]) => message),
      ['before: swordfish', 'after: ***'],
    )
    // For a step that is over nothing is left to mask, and the service must not wait.
    service.say({ type: 'mask', stepId, attempt, fence, id: `${id.slice(0, -1)}2`, secret: 'swordfish' })
    await service.until(() => service.masked.length === 2)
    await rm(folder, { recursive: true })
  })

  test('masks secrets in outputs, and in names and labels of artefacts', async () => {
    const secret = 'swordfish'
    const base64 = Buffer.from(`a ${secret}`).toString('base64')
    const outputs = { url: `http://app:${secret}@db`, [secret]: [1, base64], plain: 'sword' }
    const run = `cd "$SLUICE_ARTEFACTS"; mkdir of-${secret}; echo one >of-${secret}/log; mkdir 'of-***'; echo two >'of-***/log'
      printf %s '{"of-${secret}/log": {"for": "${secret}"}}' >"$SLUICE_ARTEFACT_LABELS"
      printf %s '${JSON.stringify({ outputs })}' >"$SLUICE_STEP_RESULT"`
    const { result, lines } = await service.finish({ run, secrets: [secret] })
    assert.deepEqual([result.outcome, result.errorMessage], ['success', null])
    assert.deepEqual(Object.keys(result.outputs!), ['url', '***', 'plain'])
    assert.deepEqual([result.outputs!['url'], result.outputs!['plain']], ['http://app:***@db', 'sword'])
    assert.equal(JSON.stringify(result.outputs).includes(base64), false)
    assert.deepEqual(
      result.artefacts.map(({ name }) => name),
      ['of-***/log'],
    )
    assert.deepEqual(
      lines.map(([, , message]) => message),
      ['the artefact of-***/log is not kept: another has the same name without its secret'],
    )
    for (const [path, labels] of service.labels)
      if (path.includes(result.stepId)) assert.deepEqual(labels, { for: '***' })
  })

  test('fails a step that would write a secret into properties or steps, and says what it may write', async () => {
    const secret = 'sword/fish'
    const finish = async (said: object) => {
      const run = `printf %s '${JSON.stringify(said)}' >"$SLUICE_STEP_RESULT"`
      const { result } = await service.finish({ run, secrets: [secret] })
      return [result.outcome, result.errorMessage, result.propertiesDiffs, result.childSteps]
    }
    const patch = (operation: object) => ({ properties_diffs: { asset: [operation] } })
    const at = (path: string) =>
      `the step would write a secret into the properties of its asset, at ${path}, where all of their readers would see it: write its reference there, secret://<path of the node>/…/<key>`
    const refused = (why: string) => ['error', why, {}, undefined]
    const url = { op: 'add', path: '/url', value: { for: [`http://app:${secret}@db`] } }
    assert.deepEqual(await finish(patch(url)), refused(at('/url')))
    const encoded = { op: 'replace', path: '/auth', value: Buffer.from(`app:${secret}`).toString('base64') }
    assert.deepEqual(await finish(patch(encoded)), refused(at('/auth')))
    const path = { op: 'add', path: '/by/sword~1fish/is', value: 1 }
    assert.equal((await finish(patch(path)))[0], 'error')
    assert.deepEqual(
      await finish({ child_steps: ['one', { wait: `Is ${secret} right?` }] }),
      refused('the step adds steps that contain a secret, which all readers of the change would see: leave it out'),
    )
    // A compared value is not stored.
    const compared = { op: 'test', path: '/url', value: secret }
    assert.deepEqual(await finish(patch(compared)), ['success', null, { asset: [compared] }, undefined])
  })

  test('says of an artefact whose path is too long that it is not kept, and keeps those that are not', async () => {
    const deep = (parts: number) => Array.from({ length: parts }, () => 'd'.repeat(200)).join('/')
    const run = `cd "$SLUICE_ARTEFACTS"; for path in ${deep(5)} ${deep(6)}; do mkdir -p "$path"; echo x >"$path/file"; done`
    const { result, lines } = await service.finish({ run })
    assert.deepEqual(
      result.artefacts.map(({ name }) => name),
      [`${deep(5)}/file`],
    )
    assert.deepEqual(
      lines.map(([, , message]) => message),
      [`the artefact ${deep(6)}/file is not kept: its path has 1210 bytes, and may have 1024`],
    )
  })

  test('takes the same step twice for one', async () => {
    const step = service.run({ run: 'echo x >> runs; sleep 0.1' })
    service.say({ type: 'run', step })
    await service.result(step.stepId)
    service.say({ type: 'run', step })
    const { text } = await service.finish({ run: 'wc -l < runs' })
    assert.deepEqual(text, ['1'])
  })
})
