import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOverrides } from './overrides.ts'

test('a setting of the environment is JSON, or else text', () => {
  const { values, errors } = readOverrides({ MAINTENANCE_MODE: 'enabled', RUNNER__IDLE_TIMEOUT: '20' })
  assert.deepEqual([values, errors], [{ maintenance_mode: 'enabled', 'runner.idle_timeout': 20 }, []])
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
