import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Credentials, prepareAnswers, withAnswers } from './credentials.adapter.ts'

/** The options that ssh takes from the command that git is given for it. */
async function optionsWith(credentials: Credentials): Promise<(name: string) => string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-answers-'))
  try {
    const sshOf = {
      folder: await prepareAnswers(folder),
      protocol: 'ssh',
      user: 'git',
      credentials,
      knownHosts: [],
    } as const
    return await withAnswers(sshOf, async ({ environment }) => {
      const asked = spawnSync('sh', ['-c', `${environment['GIT_SSH_COMMAND']} -G git.example.test`], {
        encoding: 'utf8',
      })
      assert.equal(asked.status, 0, asked.stderr)
      const lines = asked.stdout.split('\n').map(line => line.split(' '))
      return name => lines.flatMap(([its, ...values]) => (its === name ? [values.join(' ')] : []))
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('ssh shows a host no key of the user that the service runs as', async () => {
  for (const credentials of [{}, { password: 'a password' }]) {
    const options = await optionsWith(credentials)
    assert.deepEqual([options('identityfile'), options('pubkeyauthentication')], [['none'], ['false']])
  }
  const [key, ...others] = (await optionsWith({ ssh_key_data: 'a key' }))('identityfile')
  assert.match(key!, /\/key$/)
  assert.deepEqual(others, [])
})

test('a host that takes the key no more is not answered with its passphrase', async () => {
  const options = await optionsWith({ ssh_key_data: 'a key', passphrase: 'its passphrase' })
  assert.deepEqual(options('preferredauthentications'), ['publickey'])
})
