import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { RunnerService } from '../../tests/support/runner-service.ts'

/** Takes nothing: each write into it fails as on a full disk. */
const full = '/dev/full'

/** A runner whose log is there, and whose spool is on the same full disk. */
async function runnerWith(output: number, work: (service: RunnerService) => Promise<void>): Promise<void> {
  const service = new RunnerService()
  await service.listen()
  mkdirSync(join(service.folder, 'spool'), { mode: 0o700 })
  for (let file = 1; file < 50; file++)
    symlinkSync(full, join(service.folder, 'spool', `messages-${String(file).padStart(9, '0')}.ndjson`))
  const runner = service.spawn({}, output)
  closeSync(output)
  try {
    await Promise.race([work(service), runner.exit.then(how => assert.fail(`the runner ended: ${how}`))])
    service.say({ type: 'stop', now: false })
    assert.deepEqual(await runner.exit, [0, null])
  } finally {
    await service.tidy()
  }
}

describe('a runner on a full disk', { skip: !existsSync(full) && `there is no ${full}` }, () => {
  test('goes on with its steps, whose lines and results still go out', async () => {
    await runnerWith(openSync(full, 'w'), async service => {
      const beside = service.run({ run: 'until [ -e go-on ]; do sleep 0.02; done; echo beside' })
      // More than one file of the spool, so that it is also closed and the next one opened.
      const { result, text } = await service.finish({
        run: 'seq -f "%09.0f and so on and on, a line of some length" 200000',
      })
      assert.deepEqual([result.outcome, text.length], ['success', 200_000])
      // The executor has something to complain of, and complains into the same log.
      const { result: left } = await service.finish({ run: 'mkdir "$HOME/x"; exit 3' })
      assert.equal(left.errorMessage, 'exit code 3')
      await service.finish({ run: 'touch go-on' })
      assert.equal((await service.result(beside.stepId)).outcome, 'success')
    })
  })

  test('goes on where whoever read its log is gone', async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), 'sluice-pipe-')), 'log')
    execFileSync('mkfifo', [pipe])
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const descriptor = openSync(pipe, 'w')
    closeSync(reader)
    rmSync(dirname(pipe), { recursive: true })
    await runnerWith(descriptor, async service => {
      assert.deepEqual((await service.finish({ run: 'echo on' })).text, ['on'])
      assert.deepEqual((await service.finish({ run: 'seq 3' })).text, ['1', '2', '3'])
    })
  })
})
