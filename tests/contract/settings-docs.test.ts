import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsDocs, settingsFile } from '../../bin/settings-docs.ts'
import { catalogue } from '../../src/domain/settings/index.ts'
import { projectFolder } from '../support/database-server.ts'

test('docs/settings.md says what the catalogue says (else: node bin/settings-docs.ts)', () => {
  assert.equal(readFileSync(settingsFile, 'utf8'), settingsDocs())
})

test('a setting that no code names says that it has no effect so far', t => {
  const sources = globSync('{src,runner}/**/*.ts', { cwd: projectFolder })
    .filter(file => !file.endsWith('.test.ts') && !file.endsWith('settings/catalogue.ts'))
    .map(file => readFileSync(join(projectFolder, file), 'utf8'))
    .join('\n')
  // Settings of the directory are grouped, as ldap.<name>.
  const isNamed = (key: string) =>
    sources.includes(`'${key}'`) || (key.startsWith('ldap.') && sources.includes(`'${key.slice('ldap.'.length)}'`))
  const own = Object.entries(catalogue).filter(([key]) => !key.startsWith('allowed.'))
  const silent = own.filter(([key, { unheeded }]) => unheeded === undefined && !isNamed(key)).map(([key]) => key)
  assert.deepEqual(silent, [], 'nothing reads these, and they do not say so')
  const named = own.filter(([key, { unheeded }]) => unheeded !== undefined && isNamed(key)).map(([key]) => key)
  t.diagnostic(`marked as without effect, and named: ${named.join(', ')}`)
})
