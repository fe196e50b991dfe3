import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revisionFault } from '#authoring/revision.ts'
import { readRemoteUrl, repositoryOf, transportOf } from './remote-url.ts'

const all = ['https', 'http', 'ssh', 'git', 'file'] as const

test('a remote is reached by https, http, ssh in both of its forms, git and file', () => {
  const read = (url: string) => {
    const where = readRemoteUrl(url, all)
    assert.ok(!('wrong' in where), JSON.stringify(where))
    return `${where.protocol} ${where.user ?? '-'} ${repositoryOf(where)}`
  }
  assert.equal(read('https://Git.Example.com:8443/team/shop.git'), 'https - git.example.com/team/shop')
  assert.equal(read('ssh://git@git.example.com/team/shop'), 'ssh git git.example.com/team/shop')
  assert.equal(read('git@git.example.com:team/shop.git'), 'ssh git git.example.com/team/shop')
  assert.equal(read('git://git.example.com/team/shop/'), 'git - git.example.com/team/shop')
  assert.equal(read('file:///srv/git/shop.git'), 'file - /srv/git/shop')
})

test('what git would take and run a program for is refused', () => {
  for (const url of [
    'ext::sh -c touch% /tmp/owned',
    'ext::sh',
    'fd::17',
    '/srv/git/shop',
    './shop',
    '--upload-pack=touch /tmp/owned',
    'ssh://-oProxyCommand=touch/x',
    'git@-oProxyCommand=x:y',
    'git@host:-x',
    'https://host/a b',
    'https://host/\nx',
    'https://host',
    'https:///path',
    'file://elsewhere/srv',
    'ftp://host/path',
    'https://user:secret@host/path',
    'https://user@host/path',
    'https://host/path?token=secret',
    'http://host/path#x',
    '',
  ])
    assert.ok('wrong' in readRemoteUrl(url, all), url)
})

test('a protocol that is not allowed is refused, and the words say which are', () => {
  const where = readRemoteUrl('file:///srv/git', ['https', 'ssh'])
  assert.deepEqual(where, {
    wrong: 'Git remotes by "file" are not allowed here; allowed: https, ssh (SLUICE_GIT_PROTOCOLS).',
  })
})

test('scheme and port are the transport, host and path the repository', () => {
  const a = readRemoteUrl('https://host/x.git', all)
  const b = readRemoteUrl('http://host:8080/x', all)
  assert.ok(!('wrong' in a) && !('wrong' in b))
  assert.equal(repositoryOf(a), repositoryOf(b))
  assert.notEqual(transportOf(a), transportOf(b))
})

test('a revision is a name of a branch or tag or a commit, and nothing that git would evaluate', () => {
  for (const revision of ['main', 'feature/x-1', 'v1.0', 'refs/tags/v1', 'a'.repeat(40), 'release@2', 'ä'])
    assert.equal(revisionFault(revision), undefined, revision)
  for (const revision of [
    '',
    '-x',
    '--all',
    'HEAD',
    'FETCH_HEAD',
    '@',
    'main~2',
    'main^',
    'main:path',
    'main@{1}',
    'a..b',
    'a b',
    'a\nb',
    '/a',
    'a/',
    'a//b',
    'a/.b',
    'a.lock',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'x'.repeat(256),
  ])
    assert.ok(revisionFault(revision), JSON.stringify(revision))
})
