import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricsGuard } from './metrics-guard.ts'

const token = 'a token of Prometheus'.replaceAll(' ', '-')
const request = (ip: string, headers: Record<string, string> = {}) => ({ ip, ips: [ip], headers })
const guard = (metricsToken?: string, metricsAddresses?: string[]) => metricsGuard({ metricsToken, metricsAddresses })
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

test('where nothing is configured nobody may read', () => {
  const refuse = guard()
  for (const ip of ['127.0.0.1', '::1', '10.0.0.1', '']) assert.equal(refuse(request(ip))?.status, 403, ip)
  assert.equal(refuse(request('10.0.0.1', bearer('undefined')))?.status, 403)
})

test('a token lets in whoever sends it, from anywhere, and nobody who sends another', () => {
  const refuse = guard(token)
  assert.equal(refuse(request('203.0.113.7', bearer(token))), undefined)
  assert.equal(refuse(request('203.0.113.7', { authorization: `bearer  ${token}` })), undefined)
  const wrong = [{}, bearer(''), bearer(`${token}x`), bearer(token.slice(1)), { authorization: `Basic ${token}` }]
  for (const headers of [...wrong, { authorization: token }, bearer(`x ${token}`)])
    assert.equal(refuse(request('127.0.0.1', headers as Record<string, string>))?.status, 401, JSON.stringify(headers))
})

test('of addresses those that are listed may read, and this machine only where it is one of them', () => {
  const refuse = guard(undefined, ['192.168.7.0/24', 'fd00::7'])
  for (const ip of ['192.168.7.1', '::ffff:192.168.7.255', 'fd00::7']) assert.equal(refuse(request(ip)), undefined, ip)
  for (const ip of ['192.168.8.1', '127.0.0.1', 'fd00::8']) assert.equal(refuse(request(ip))?.status, 403, ip)
  assert.match(refuse(request('192.168.8.1'))!.why, /192\.168\.8\.1/)
})

test('where both are configured both are asked for', () => {
  const refuse = guard(token, ['10.0.0.7'])
  assert.equal(refuse(request('10.0.0.7', bearer(token))), undefined)
  assert.equal(refuse(request('10.0.0.7'))?.status, 401)
  assert.equal(refuse(request('10.0.0.8', bearer(token)))?.status, 403)
})

test('no refusal says anything of the token', () => {
  assert.ok(!guard(token)(request('10.0.0.1', bearer('wrong')))!.why.includes(token))
})
