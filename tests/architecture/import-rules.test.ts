import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/database-server.ts'

/** A file, its import, and the rule that must forbid it; `undefined` if it is allowed. */
const cases: [from: string, to: string, rule: string | undefined][] = [
  ['src/domain/nodes/node.ts', 'src/domain/changes/index.ts', 'calls-down-nodes'],
  ['src/domain/steps/step.ts', 'src/domain/workflows/index.ts', 'calls-down-models'],
  ['src/domain/changes/change.ts', 'src/domain/steps/index.ts', undefined],
  ['src/domain/users/user.ts', 'src/domain/nodes/index.ts', undefined],
  ['src/domain/changes/change.store.ts', 'src/domain/steps/step.store.ts', 'through-the-front-door'],
  ['src/domain/workflow-runs/start-child.tx.ts', 'src/domain/steps/for-workflow-runs.ts', undefined],
  ['src/domain/changes/change-plan.ts', 'src/domain/steps/for-workflow-runs.ts', 'side-doors-are-for-one'],
  ['src/domain/step-execution/runner-work.tx.ts', 'src/domain/steps/for-step-execution.ts', undefined],
  ['src/domain/schedules/due-times.ts', 'src/domain/steps/for-step-execution.ts', 'side-doors-are-for-one'],
  ['src/domain/changes/change.commands.ts', 'src/domain/changes/change.store.ts', undefined],
  ['src/domain/changes/other.ts', 'src/domain/gadgets/index.ts', 'known-domain-folders'],
  ['src/platform/http/server.ts', 'src/domain/nodes/index.ts', 'platform-knows-no-noun'],
  ['src/domain/nodes/wiring.ts', 'src/main/config.ts', 'nothing-imports-main'],
  ['src/main/domains.ts', 'src/domain/changes/index.ts', undefined],
  ['runner/executor.ts', 'src/platform/db/sql.ts', 'runner-shares-the-protocol-only'],
  ['runner/supervisor.ts', 'protocol/runner-protocol.ts', undefined],
  ['runner/module-host.ts', 'protocol/runner-protocol.ts', 'executors-have-no-src'],
  ['runner/step/masking.ts', 'json/from-json.ts', undefined],
  ['json/from-json.ts', 'src/platform/failure.ts', 'json-stands-alone'],
  ['authoring/actions/action.ts', 'src/domain/git/index.ts', 'authoring-is-pure'],
  ['authoring/actions/step-entries.ts', 'src/platform/nearest-name.ts', undefined],
  ['protocol/runner-protocol.ts', 'runner/step/masking.ts', 'protocol-stands-alone'],
  ['audit/chain.ts', 'src/platform/failure.ts', 'proof-stands-alone'],
  ['src/domain/events/seal.ts', 'audit/chain.ts', undefined],
  ['examples/demo.ts', 'src/platform/failure.ts', 'clients-use-the-api'],
  ['src/domain/steps/rules/step.lifecycle.ts', 'src/domain/steps/step.store.ts', 'rules-do-no-io'],
  ['src/domain/logs/log-order.ts', 'src/platform/db/database.ts', 'bare-files-know-no-database'],
  ['src/domain/logs/keep-lines.tx.ts', 'src/platform/db/database.ts', undefined],
  ['src/domain/logs/drop-lines.tx.ts', 'src/platform/db/sql.ts', 'sql-stands-in-stores'],
  ['src/domain/logs/order-of-lines.ts', 'src/domain/logs/chunk.store.ts', 'bare-files-call-no-store'],
  ['src/domain/logs/order-of-chunks.ts', 'src/domain/logs/chunk.sql.ts', undefined],
  ['src/domain/logs/keep-chunks.tx.ts', 'src/domain/logs/chunk.manager.ts', 'known-kinds'],
  ['src/domain/logs/owners.port.ts', 'src/domain/nodes/index.ts', 'ports-are-types'],
  ['src/domain/logs/line-of-chunk.sql.ts', 'src/platform/db/database.ts', 'fragments-run-nothing'],
  ['src/domain/logs/line.store.ts', 'src/platform/db/sql.ts', undefined],
  ['src/platform/clock.ts', 'tests/support/database.ts', 'no-support-in-the-product'],
  ['src/platform/db/tx.ts', 'src/platform/utils/text.ts', 'no-drawers'],
]

test('each import rule catches what it is there for, and lets through what is right', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-import-rules-'))
  try {
    for (const [, to] of cases) write(folder, to, 'export const thing = 1\n')
    for (const [from, to] of cases) {
      write(folder, from, `import { thing } from '${pathFromTo(from, to)}'\nexport { thing }\n`)
    }
    write(folder, 'authoring/files/reads.ts', `import { readFileSync } from 'node:fs'\nexport { readFileSync }\n`)
    write(
      folder,
      'src/domain/logs/reads.ts',
      `import type { Stats } from 'node:fs'\nexport type Size = Stats['size']\n`,
    )
    write(
      folder,
      'src/domain/logs/order.ts',
      `import type { thing } from '../../platform/db/database.ts'\nexport type Order = typeof thing\n`,
    )
    write(folder, 'src/platform/one.ts', `import { two } from './two.ts'\nexport const one = () => two\n`)
    write(folder, 'src/platform/two.ts', `import { one } from './one.ts'\nexport const two = () => one\n`)
    write(folder, 'src/platform/three.ts', `import type { Four } from './four.ts'\nexport type Three = Four\n`)
    write(folder, 'src/platform/four.ts', `import type { Three } from './three.ts'\nexport type Four = Three[]\n`)
    const found = violations(folder)
    for (const [from, to, rule] of cases)
      assert.deepEqual(found.get(`${from} → ${to}`) ?? [], rule ? [rule] : [], `${from} → ${to}`)
    assert.deepEqual(found.get('authoring/files/reads.ts → fs'), ['authoring-runs-anywhere'])
    assert.deepEqual(found.get('src/domain/logs/reads.ts → fs'), ['bare-files-do-no-io'])
    assert.deepEqual(found.get('src/domain/logs/order.ts → src/platform/db/database.ts'), [
      'bare-files-know-no-database',
    ])
    assert.deepEqual(found.get('src/platform/one.ts → src/platform/two.ts'), ['no-circles'])
    assert.deepEqual(found.get('src/platform/four.ts → src/platform/three.ts'), ['no-circles'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

function pathFromTo(from: string, to: string): string {
  return '../'.repeat(dirname(from).split('/').length) + to
}

function violations(folder: string): Map<string, string[]> {
  const program = join(projectFolder, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const config = join(projectFolder, '.dependency-cruiser.cjs')
  const args = [
    program,
    '--config',
    config,
    '--output-type',
    'json',
    'src',
    'runner',
    'json',
    'audit',
    'authoring',
    'protocol',
    'examples',
    'tests',
  ]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })
  assert.ok(stdout.startsWith('{'), stderr)
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] }
  }
  const found = new Map<string, string[]>()
  for (const { from, to, rule } of summary.violations) {
    found.set(`${from} → ${to}`, [...(found.get(`${from} → ${to}`) ?? []), rule.name].sort())
  }
  return found
}
