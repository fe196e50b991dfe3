import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOverrides } from './overrides.ts'

test('a setting of the environment is JSON, or else text', () => {
  const { values, errors } = readOverrides({ MAINTENANCE_MODE: 'enabled', RUNNER__IDLE_TIMEOUT: '20' })
  assert.deepEqual([values, errors], [{ maintenance_mode: 'enabled', 'runner.idle_timeout': 20 }, []])
})

test('a password that looks like a number is a password; a number where neither fits is told of', () => {
  const { values, errors } = readOverrides({ LDAP__PASSWORD: '0451', LDAP__BIND_DN: 'true', LDAP__PORT: '636' })
  assert.deepEqual([values, errors], [{ 'ldap.password': '0451', 'ldap.bind_dn': 'true', 'ldap.port': 636 }, []])
  assert.deepEqual(readOverrides({ LDAP__PASSWORD: '12345678' }).values, { 'ldap.password': '12345678' })
  assert.equal(readOverrides({ MAINTENANCE_MODE: '1' }).errors.length, 1)
})

test('what is wrong with the environment names its variables, all of them', () => {
  const { errors } = readOverrides({
    REPO_FOLDER: '../x',
    RUNNER__IDLE_TIMEOUT: 'soon',
    RUNNER__IDLE_TIMOUT: '20',
    X: '1',
  })
  assert.equal(errors.length, 4)
  assert.equal(
    errors[0],
    'SERVICE_OVERRIDE_RUNNER__IDLE_TIMOUT: there is no such setting; did you mean SERVICE_OVERRIDE_RUNNER__IDLE_TIMEOUT?',
  )
  assert.equal(errors[1], 'SERVICE_OVERRIDE_X: there is no such setting.')
  assert.deepEqual(
    errors
      .slice(2)
      .map(each => each.split(':')[0])
      .sort(),
    ['SERVICE_OVERRIDE_REPO_FOLDER', 'SERVICE_OVERRIDE_RUNNER__IDLE_TIMEOUT'],
  )
})
