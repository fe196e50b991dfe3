import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Installation, newInstallation } from './service-process.ts'

const full = '/dev/full'

describe('a service whose output fails', { skip: !existsSync(full) && `there is no ${full}` }, () => {
  let installation: Installation
  before(async () => {
    installation = await newInstallation()
    // Its first start prints the password.
    await (await installation.start()).stop()
  })
  after(() => installation.remove())

  /** All of its output is discarded from the first line on. */
  async function serves(output: number, name: string): Promise<void> {
    const service = await installation.start({ output })
    closeSync(output)
    const sluice = installation.asAdmin()
    await sluice.create('/api/projects', { code: name, name })
    // Refusals are logged.
    assert.equal((await fetch(`${service.url}/api/projects`)).status, 401)
    assert.equal(await service.stop(), 0)
  }

  test('serves and stops in order while the disk of its log is full', async () => {
    await serves(openSync(full, 'w'), 'full')
  })

  test('serves and stops in order once whoever reads its output is gone', async () => {
    const pipe = join(installation.folder, 'output')
    execFileSync('mkfifo', [pipe])
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const output = openSync(pipe, 'w')
    closeSync(reader)
    await serves(output, 'gone')
  })
})
