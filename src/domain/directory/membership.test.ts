import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DirectoryError, directoryConnection } from './connection.ts'
import { membership } from './membership.ts'

const group = (name: string, members: string[], memberNames: string[] = []) => ({
  dn: `cn=${name},ou=Groups,dc=example`,
  name,
  members,
  memberNames,
})
const ann = { dn: 'uid=ann,ou=people,dc=example', username: 'ann' }

test('one is in a group by oneself, by name, and through groups in groups, however the names are spelt', () => {
  const of = membership([
    group('inner', ['UID=Ann, OU=People, DC=example']),
    group('outer', ['cn=inner,ou=groups,dc=example']),
    group('outermost', ['cn=outer,ou=groups,dc=example']),
    group('posix', [], ['Ann', 'bob']),
    group('others', ['uid=bob,ou=people,dc=example']),
  ])
  assert.deepEqual(of(ann), ['inner', 'outer', 'outermost', 'posix'])
  assert.deepEqual(of({ dn: 'uid=eve,ou=people,dc=example', username: 'eve' }), [])
})

test('of a group that names its people is who has that name, not who has it in another case of é', () => {
  const of = membership([group('posix', [], ['E\u0301mile'])])
  const inGroup = (username: string) => of({ dn: 'uid=x,dc=example', username }).length === 1
  assert.deepEqual(['\u00c9mile', '\u00c9MILE', '\u00e9mile'].map(inGroup), [true, true, false])
})

test('groups that are members of each other end', () => {
  const of = membership([
    group('a', ['cn=b,ou=groups,dc=example', ann.dn]),
    group('b', ['cn=a,ou=groups,dc=example', 'cn=b,ou=groups,dc=example']),
  ])
  assert.deepEqual(of(ann), ['a', 'b'])
})

test('a group whose name cannot be kept is none of one’s groups, and those that it is in are', () => {
  const of = membership([
    group('of two\nlines', [ann.dn]),
    group('x'.repeat(256), [ann.dn]),
    group('nul\0', [ann.dn]),
    group('outer', ['cn=of two\nlines,ou=groups,dc=example']),
  ])
  assert.deepEqual(of(ann), ['outer'])
})

test('a base is said in full or below the base of all, and passwords go in clear only where that is asked for', () => {
  const said = { 'ldap.host': 'directory.example', 'ldap.base_dn': 'dc=example', 'ldap.cache_ttl': 60 }
  const made = directoryConnection({ ...said, 'ldap.user_base': 'ou=people', 'ldap.group_base': 'OU=g, DC=example' })!
  assert.deepEqual([made.users.base, made.groups.base], ['ou=people,dc=example', 'OU=g, DC=example'])
  assert.deepEqual([made.tls, made.port], ['starttls', 389])
  assert.equal(directoryConnection({ ...said, 'ldap.tls': 'ldaps' })!.port, 636)
  assert.equal(directoryConnection({ 'ldap.base_dn': 'dc=example' }), undefined)
  assert.throws(() => directoryConnection({ 'ldap.host': 'x' }), DirectoryError)
  assert.throws(() => directoryConnection({ ...said, 'ldap.bind_dn': 'cn=reader' }), /ldap.password/)
})
