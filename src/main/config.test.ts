import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, helpText, readConfig } from './config.ts'
import { variables } from './variables.ts'

test('no environment is needed', () => {
  assert.deepEqual(configOf({}), {
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    host: '127.0.0.1',
    port: 7890,
    dataDir: './data',
    adminPassword: undefined,
    role: 'all',
    site: 'main',
    gitProtocols: ['https', 'http', 'ssh', 'git'],
    privateAddresses: [],
    trustedProxies: [],
    metricsToken: undefined,
    metricsAddresses: undefined,
    authorities: undefined,
    smtpServer: undefined,
    mailFrom: undefined,
    runnerUser: undefined,
    rateLimit: undefined,
    logLevel: 'info',
    rootKey: undefined,
    nextRootKey: undefined,
    settingOverrides: {},
    passedOn: {},
    demo: false,
    exit: false,
    stopRunners: false,
    resetPassword: undefined,
    help: false,
  })
})

test('all that is wrong is named at once, with what would be right', () => {
  assert.deepEqual(errorsOf({ SLUICE_PORT: '70000', SLUICE_ROLE: 'master', SLUICE_LOG_LEVEL: 'loud' }, ['--dmo']), [
    'SLUICE_PORT is "70000" and should be a whole number from 0 to 65535',
    'SLUICE_ROLE is "master" and should be one of all, api, worker',
    'SLUICE_LOG_LEVEL is "loud" and should be one of debug, info, warn, error',
    '--dmo is not known; did you mean --demo?',
  ])
})

test('networks that may be reached are addresses, with or without the length of their prefix', () => {
  const { privateAddresses } = configOf({ SLUICE_PRIVATE_ADDRESSES: '10.0.0.0/8, ::1' })
  assert.deepEqual(privateAddresses, ['10.0.0.0/8', '::1'])
  assert.deepEqual(errorsOf({ SLUICE_PRIVATE_ADDRESSES: '10.0.0/8' }), [
    'SLUICE_PRIVATE_ADDRESSES is "10.0.0/8" and should be a list, with commas, of networks such as 10.0.0.0/8',
  ])
})

test('trusted proxies are addresses and networks, never everyone', () => {
  const { trustedProxies } = configOf({ SLUICE_TRUSTED_PROXIES: '10.0.0.5, fd00::/8' })
  assert.deepEqual(trustedProxies, ['10.0.0.5', 'fd00::/8'])
  for (const wrong of ['proxy.example', 'true', '1', '10.0.0.5,', '0.0.0.0/0', '::/00'])
    assert.deepEqual(errorsOf({ SLUICE_TRUSTED_PROXIES: wrong }), [
      `SLUICE_TRUSTED_PROXIES is "${wrong}" and should be a list, with commas, of addresses and networks of proxies such as 10.0.0.5,192.168.7.0/24`,
    ])
})

test('a mail server comes with who mails are from, and a wrong one is not repeated', () => {
  const right = { SLUICE_SMTP_URL: 'smtps://robot:secret@mail.example.org', SLUICE_MAIL_FROM: 'Sluice <s@example.org>' }
  const { smtpServer, mailFrom } = configOf(right)
  const login = { user: 'robot', password: 'secret' }
  assert.deepEqual(smtpServer, { host: 'mail.example.org', port: 465, tls: 'smtps', login })
  assert.equal(mailFrom, 'Sluice <s@example.org>')
  const [{ SLUICE_SMTP_URL }, { SLUICE_MAIL_FROM }] = [right, right]
  assert.deepEqual(errorsOf({ SLUICE_SMTP_URL }), [
    'SLUICE_SMTP_URL is set without SLUICE_MAIL_FROM; set both, or neither',
  ])
  assert.deepEqual(errorsOf({ SLUICE_MAIL_FROM }), [
    'SLUICE_MAIL_FROM is set without SLUICE_SMTP_URL; set both, or neither',
  ])
  assert.deepEqual(errorsOf({ SLUICE_SMTP_URL: 'smtp://robot:secret@relay?tls=none', SLUICE_MAIL_FROM: 'sluice' }), [
    'SLUICE_SMTP_URL should be smtps://user:password@host:465, smtp://user:password@host:587 (which has to offer STARTTLS), or smtp://host:25?tls=none without a password; what is no letter or digit in user and password as %40',
    'SLUICE_MAIL_FROM is "sluice" and should be one address, such as ann@example.org or Ann Example <ann@example.org>',
  ])
})

test('a misspelt variable is named with the nearest that is known', () => {
  assert.deepEqual(errorsOf({ SLUICE_PROT: '80' }), ['SLUICE_PROT is not known; did you mean SLUICE_PORT?'])
})

test('a secret is never repeated', () => {
  const errors = errorsOf({
    SLUICE_ADMIN_PASSWORD: 'hunter2',
    SLUICE_ROOT_KEY: 'abcdef',
    SLUICE_DATABASE_URL: 'mysql://u:pw@h/d',
  })
  assert.equal(errors.length, 3)
  for (const secret of ['hunter2', 'abcdef', 'u:pw']) assert.ok(!errors.join('\n').includes(secret), secret)
})

test('an empty variable counts as not set', () => {
  assert.equal(configOf({ SLUICE_PORT: '', SLUICE_DATABASE_URL: '' }).port, 7890)
})

test('the file protocol is there only when it is listed', () => {
  assert.deepEqual(configOf({ SLUICE_GIT_PROTOCOLS: 'file, https' }).gitProtocols, ['https', 'file'])
  assert.equal(errorsOf({ SLUICE_GIT_PROTOCOLS: 'https,ftp' }).length, 1)
})

test('the root key is 32 bytes, in base64 or hex', () => {
  const key = Buffer.alloc(32, 7)
  assert.deepEqual(configOf({ SLUICE_ROOT_KEY: key.toString('base64') }).rootKey, key)
  assert.deepEqual(configOf({ SLUICE_ROOT_KEY: key.toString('hex') }).rootKey, key)
  assert.equal(errorsOf({ SLUICE_ROOT_KEY: key.toString('base64').slice(4) }).length, 1)
})

test('settings that the environment overrides are collected by name', () => {
  const config = configOf({ SERVICE_OVERRIDE_MAINTENANCE_MODE: 'enabled', HOME: '/root' })
  assert.deepEqual(config.settingOverrides, { MAINTENANCE_MODE: 'enabled' })
})

test('what git needs to find its programs and a proxy is passed on, and nothing else', () => {
  const { passedOn } = configOf({ PATH: '/bin', https_proxy: 'http://p', NO_PROXY: 'here', HOME: '/root', PATHS: 'x' })
  assert.deepEqual(passedOn, { PATH: '/bin', https_proxy: 'http://p', NO_PROXY: 'here' })
})

test('a process of one role alone needs a database that others can reach', () => {
  assert.match(errorsOf({ SLUICE_ROLE: 'worker' })[0]!, /needs SLUICE_DATABASE_URL/)
  assert.equal(configOf({ SLUICE_ROLE: 'worker', SLUICE_DATABASE_URL: 'postgres://u@h/d' }).role, 'worker')
})

test('the help names every variable', () => {
  for (const name of Object.keys(variables)) assert.ok(helpText().includes(name), name)
})

function configOf(env: Record<string, string>, argv: string[] = []): Config {
  const answer = readConfig(env, argv)
  assert.ok('config' in answer, 'errors' in answer ? answer.errors.join('\n') : '')
  return answer.config
}

function errorsOf(env: Record<string, string>, argv: string[] = []): string[] {
  const answer = readConfig(env, argv)
  assert.ok('errors' in answer, 'the configuration should have been refused')
  return answer.errors
}
