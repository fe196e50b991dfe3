import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findMarked } from '../../../runner/sandbox/processes.ts'
import { processOf } from '../../../src/domain/runners/drivers/process/process-name.adapter.ts'
import { openProcessDriver } from '../../../src/domain/runners/index.ts'
import { ensureSystemUsers } from '../../../src/platform/db/embedded/system-users.ts'
import { describeDriver } from './suite.ts'

const users = await ensureSystemUsers()

describeDriver({
  name: 'process',
  open: async serviceUrl => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-driver-'))
    chmodSync(folder, 0o711)
    return {
      driver: openProcessDriver({
        folder: join(folder, 'runners'),
        serviceUrl,
        hide: [],
        log: { info: () => {}, warn: () => {}, error: () => {} },
        ...(users && { runAs: users.runner }),
      }),
      killFromOutside: async ({ ref }) => void process.kill(processOf(ref).pid, 'SIGKILL'),
      processesOf: id => findMarked({ environment: [`SLUICE_RUNNER_ID=${id}`], roots: [] }).map(({ pid }) => pid),
      close: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
})
