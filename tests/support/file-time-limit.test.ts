import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const limit = import.meta.resolve('./file-time-limit.ts')
const run = (program: string) =>
  spawnSync(process.execPath, ['--import', limit, '--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, SLUICE_TEST_FILE_MINUTES: '0.01' },
  })

test('a file that waits for ever is ended, and says what is open in it', () => {
  const { status, stderr } = run("import net from 'node:net'; net.createServer().listen(0)")
  assert.equal(status, 1)
  assert.match(stderr, /ended after 0\.01 minutes\. Open in its process: .*1 TCPServerWrap/)
})

test('a file that ends in time is left alone', () => {
  assert.deepEqual([run('console.log(1)').status, run('console.log(1)').stderr], [0, ''])
})
