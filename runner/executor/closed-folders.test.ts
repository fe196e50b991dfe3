import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runnerPrograms } from '../../src/domain/runners/drivers/process/runner-programs.adapter.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { RunnerService } from '../../tests/support/runner-service.ts'

/** Root may remove anything: as root, steps run as the user that the service makes for them. */
const users = await ensureSystemUsers()
const programs = mkdtempSync(join(tmpdir(), 'sluice-programs-'))
chmodSync(programs, 0o755)
after(() => rmSync(programs, { recursive: true, force: true }))

const closing = {
  'a module cache of Go': `mkdir -p "$HOME/go/pkg/mod/a@v1/b"; echo x >"$HOME/go/pkg/mod/a@v1/b/c"; chmod -R a-w "$HOME/go"`,
  'folders without any right': `mkdir -p "$TMPDIR/a/b/c"; touch "$TMPDIR/a/b/c/d"; chmod 000 "$TMPDIR/a/b/c" "$TMPDIR/a/b" "$TMPDIR/a"`,
  'its own folder and its files': `chmod -R a-w "$(dirname "$SLUICE_STEP_RESULT")"`,
  'its own folder alone': `chmod 500 "$(dirname "$SLUICE_STEP_RESULT")"`,
  'the folder of its artefacts': `chmod 000 "$SLUICE_ARTEFACTS"`,
  'the working copy': `mkdir -p sub/deep; echo x >sub/deep/file; chmod -R a-w .`,
  'a link to what is not its own': `ln -s /etc "$TMPDIR/etc"; mkdir "$TMPDIR/closed"; ln -s / "$TMPDIR/closed/root"; chmod 500 "$TMPDIR/closed"`,
}

describe('folders that a step closes to itself', () => {
  for (const [what, run] of Object.entries(closing))
    test(`${what}: the next step has what it needs, and nothing is left of the runner`, async () => {
      const log = { info: () => {}, warn: () => {}, error: () => {} }
      const as = users && {
        runAs: users.runner,
        program: await runnerPrograms(join(import.meta.dirname, '..'), programs, users.runner, log),
      }
      const service = new RunnerService()
      await service.listen()
      const runner = service.supervise({}, as ?? {})
      try {
        // Twice each, so that the folder of the first would be the second's.
        for (const each of [run, `echo '{"outputs": {"a": 1}}' >"$SLUICE_STEP_RESULT"; touch "$SLUICE_ARTEFACTS/a"`]) {
          const { result } = await service.finish({ run: each })
          assert.deepEqual([result.outcome, result.errorMessage], ['success', null])
        }
        const failed = await service.finish({ run: `${run}; exit 1` })
        assert.equal(failed.result.errorMessage, 'exit code 1')
        const last = await service.finish({ run: 'touch "$SLUICE_ARTEFACTS/b"' })
        assert.deepEqual(
          last.result.artefacts.map(({ name }) => name),
          ['b'],
        )
        runner.stop('the test is over')
        assert.equal(await runner.ended, 0)
        assert.deepEqual(readdirSync(join(service.folder, 'work')), [])
        assert.ok(existsSync('/etc/passwd'))
      } finally {
        await service.tidy()
      }
    })
})
