import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { basicOf, type Client } from '../support/api.ts'
import { changeWhen, created, ended, newAsset, shop } from '../support/changes.ts'
import { doorTo } from '../support/database-door.ts'
import { projectFolder } from '../support/database-server.ts'
import { readExposition, type Scraped, sumOf } from '../support/exposition.ts'
import { follow } from '../support/live-client.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

/** Metrics for operators at /metrics, as Prometheus reads them. */

const actions = `
actions:
  asks: { description: x, steps: [{ wait: go on }] }
`
const token = 'the-token-of-prometheus'
let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({
    spares: 0,
    users: { hidden_person: [] },
    config: { metricsAddresses: ['127.0.0.1'] },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions })
})
after(() => service.stop())

interface Asked {
  readonly from?: string
  readonly headers?: Record<string, string>
  readonly method?: string
}

async function ask(address: string, path: string, { from, headers = {}, method = 'GET' }: Asked = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${address}${path}`, { method, headers, ...(from && { localAddress: from }) })
    sent.once('response', resolve).once('error', reject).end()
  })
  return { status: answer.statusCode!, headers: answer.headers, text: await textOf(answer) }
}

const statusAt = async (address: string, asked?: Asked) => (await ask(address, '/metrics', asked)).status

async function scrape(address = service.address): Promise<Map<string, Scraped>> {
  const { status, text } = await ask(address, '/metrics')
  assert.equal(status, 200, text)
  return readExposition(text)
}

/**
 * Waits until a scrape has the expected values: a request is counted once it is over, and database values follow later.
 */
const scrapedWhen = (what: string, isSo: (scraped: Map<string, Scraped>) => boolean, address?: string) =>
  until(what, () => scrape(address), isSo, { pause: 50 })

const page = readFileSync(join(projectFolder, 'docs/operations/metrics.md'), 'utf8')

/** Metric, type and labels of each row of the page for operators. */
const described = () =>
  page
    .split('\n')
    .flatMap(line => {
      const [, name = '', type = '', labels = ''] = /^\| `(\w+)` \| (\w+) \| (.*?) \|/.exec(line) ?? []
      return name ? [[name, type, [...labels.matchAll(/`(\w+)`/g)].map(([, each]) => each).join(' ')]] : []
    })
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))

test('whoever asks from an address that is named reads them without signing in, in the form of Prometheus, with no word on who asked', async () => {
  const { status, headers, text } = await ask(service.address, '/metrics')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  readExposition(text)
  assert.deepEqual((await ask(service.address, '/metrics', { method: 'HEAD' })).text, '')
  assert.equal(
    await statusAt(service.address, { headers: { authorization: basicOf('admin', 'not the password') } }),
    200,
  )
})

test('the page for operators names each metric with its type and labels, and no other', async () => {
  // Only then has each of them a value.
  await admin.get('/api/projects')
  const scraped = await scrapedWhen('each metric has samples', families =>
    [...families.values()].every(({ samples }) => samples.length > 0),
  )
  const told = [...scraped].map(([name, { type, samples }]) => {
    const { le: _, ...labels } = samples[0]!.labels
    return [name, type, Object.keys(labels).join(' ')]
  })
  assert.deepEqual(
    told.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    described(),
  )
})

test('what the page for operators asks Prometheus for there is', () => {
  const names = new Set(described().map(([name]) => name))
  const asked = [...page.matchAll(/^ +(?:expr: )?(.+)$/gm)].flatMap(
    ([, text = '']) => text.match(/\b(?:sluice|process|nodejs)_\w+/g) ?? [],
  )
  assert.ok(asked.length > 5)
  assert.deepEqual(
    asked.filter(name => !names.has(name.replace(/_(?:bucket|sum|count)$/, ''))),
    [],
  )
})

test('requests are counted by method, route and status, each once', async () => {
  const route = '/api/projects/:project_code/environments/:environment_code'
  const of = (scraped: Map<string, Scraped>) => {
    const counted = (method: string, status: string) =>
      sumOf(scraped, 'sluice_http_requests_total', { method, route, status }) ?? 0
    const took = (suffix: string) =>
      sumOf(scraped, 'sluice_http_request_duration_seconds', { method: 'GET', route }, suffix)
    return {
      well: counted('GET', '2xx'),
      refused: counted('GET', '4xx'),
      head: counted('HEAD', '2xx'),
      took: took('_count') ?? 0,
    }
  }
  const path = '/api/projects/shop/environments/live'
  const before = of(await scrape())
  for (let n = 0; n < 3; n++) assert.equal((await admin.get(path)).status, 200)
  for (let n = 0; n < 2; n++) assert.equal((await service.stranger.get(path)).status, 401)
  assert.equal(
    (
      await ask(service.address, path, {
        method: 'HEAD',
        headers: { authorization: basicOf('admin', passwordOf('admin')) },
      })
    ).status,
    200,
  )
  const wanted = { well: before.well + 3, refused: before.refused + 2, head: before.head + 1, took: before.took + 5 }
  await scrapedWhen('they are counted', scraped => of(scraped).took >= wanted.took && of(scraped).head >= wanted.head)
  assert.deepEqual(of(await scrape()), wanted)
})

test('a thousand paths that there are not, and methods that nobody knows, are one series each', async () => {
  const requests = (scraped: Map<string, Scraped>) => scraped.get('sluice_http_requests_total')!.samples
  const unknown = (scraped: Map<string, Scraped>) =>
    sumOf(scraped, 'sluice_http_requests_total', { route: 'none' }) ?? 0
  const before = await scrape()
  for (let n = 0; n < 1_000; n += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        fetch(`${service.address}/api/made-up-${n + at}/x?y=${n}`).then(each => each.text()),
      ),
    )
  for (const method of ['PROPFIND', 'TRACE', 'SEARCH'])
    assert.equal((await ask(service.address, '/api/made-up', { method })).status, 404)
  assert.equal((await ask(service.address, '/api/%zz')).status, 400)
  const after = await scrapedWhen('they are counted', scraped => unknown(scraped) >= unknown(before) + 1_004)
  assert.equal(unknown(after), unknown(before) + 1_004)
  const routes = new Set(requests(after).map(({ labels }) => labels['route']!))
  assert.deepEqual(
    [...routes].filter(route => /made-up|%zz/.test(route)),
    [],
  )
  const series = requests(after)
    .filter(({ labels }) => labels['route'] === 'none')
    .map(({ labels }) => `${labels['method']} ${labels['status']}`)
  assert.deepEqual(series.toSorted(), ['GET 4xx', 'other 4xx'])
})

test('who goes away before there is an answer is counted as that', async () => {
  const aborted = (scraped: Map<string, Scraped>) =>
    sumOf(scraped, 'sluice_http_requests_total', { method: 'POST', route: '/api/projects', status: 'aborted' }) ?? 0
  const before = aborted(await scrape())
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  const authorization = basicOf('admin', passwordOf('admin'))
  socket.write(
    `POST /api/projects HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-length: 100\r\n\r\n{`,
  )
  // The service has received it once a later request has been answered.
  await new Promise<void>(resolve => socket.once('connect', () => resolve()))
  await scrape()
  socket.destroy()
  await scrapedWhen('it is counted', scraped => aborted(scraped) === before + 1)
})

test('no path, name or secret of anything is told', async () => {
  await created(admin.post('/api/projects', { code: 'hiddenproject', name: 'Hidden name' }))
  await service.as('hidden_person').get('/api/projects/hiddenproject')
  await service.as('hidden_person').get('/api/users?filter[username_eq]=hidden_person')
  const asset = await newAsset(admin, 'hiddenasset')
  await admin.patch(asset, { name: 'hidden name' })
  await fetch(`${service.address}/metrics?hidden=1`, { headers: { authorization: 'Bearer hidden-token' } })
  await scrapedWhen('what was asked is counted', scraped =>
    Boolean(sumOf(scraped, 'sluice_http_requests_total', { method: 'PATCH', status: '2xx' })),
  )
  const { text } = await ask(service.address, '/metrics')
  assert.doesNotMatch(text, /hidden|admin[^/]|shop|password/i)
  assert.ok(!text.includes(service.dataDir))
})

test('what has not ended is counted by kind and status, and what has no more', async () => {
  const asset = await newAsset(admin, 'counted')
  const waiting = { kind: 'change', status: 'waiting' }
  const at = (scraped: Map<string, Scraped>) => sumOf(scraped, 'sluice_activities', waiting)
  assert.equal(at(await scrape()), 0)
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'asks' }))
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting')
  await scrapedWhen('it is counted', scraped => at(scraped) === 1)
  assert.equal((await admin.delete(`/api/changes/${id}`)).status, 204)
  await ended(admin, id)
  const scraped = await scrapedWhen('it is counted no more', each => at(each) === 0)
  assert.equal(sumOf(scraped, 'sluice_activities'), 0)
})

async function switchTo(maintenance_mode: string): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data: { maintenance_mode } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('the mode, the pools and the seal are those of the interface', async () => {
  const modes = (scraped: Map<string, Scraped>) =>
    scraped
      .get('sluice_maintenance_mode')!
      .samples.filter(({ value }) => value === 1)
      .map(({ labels }) => labels['mode'])
  assert.deepEqual(modes(await scrape()), ['disabled'])
  await switchTo('enabled')
  await scrapedWhen('it is enabled', scraped => modes(scraped)[0] === 'enabled')
  await switchTo('disabled')
  const scraped = await scrapedWhen(
    'it is disabled again, and all is sealed',
    each => modes(each)[0] === 'disabled' && sumOf(each, 'sluice_audit_oldest_unsealed_age_seconds') === 0,
  )
  const { body } = await admin.get('/api/admin/resource_slots')
  for (const { attributes } of body.data) {
    const { site, pool, configured_limit, claimed_count } = attributes
    assert.equal(sumOf(scraped, 'sluice_slots_limit', { site, pool }), configured_limit)
    assert.equal(sumOf(scraped, 'sluice_slots_claimed', { site, pool }), claimed_count)
  }
  assert.equal(scraped.get('sluice_slots_limit')!.samples.length, body.data.length)
  assert.ok(sumOf(scraped, 'sluice_audit_sealed_seq')! > 0)
})

test('live streams are counted while they are open, and their length is no duration', async () => {
  const open = (scraped: Map<string, Scraped>) => sumOf(scraped, 'sluice_live_streams')
  const stream = await follow(service.address, '/api/events/live')
  await scrapedWhen('one is open', scraped => open(scraped) === 1)
  stream.close()
  const scraped = await scrapedWhen('none is open', each => open(each) === 0)
  const route = '/api/events/live'
  assert.equal(sumOf(scraped, 'sluice_http_request_duration_seconds', { route }, '_count'), undefined)
})

test('each process tells of the loops that it runs, whatever its role', async () => {
  const names = (scraped: Map<string, Scraped>) =>
    scraped.get('sluice_loop_runs_total')!.samples.map(({ labels }) => labels['loop'])
  const [api, worker] = [await service.beside('api'), await service.beside('worker')]
  try {
    assert.deepEqual(names(await scrape(api.address)), [])
    const first = await scrapedWhen(
      'loops run',
      scraped => (sumOf(scraped, 'sluice_loop_runs_total', { loop: 'events.seal' }) ?? 0) > 1,
      worker.address,
    )
    assert.deepEqual(names(first).toSorted(), names(await scrape()).toSorted())
    assert.equal(sumOf(first, 'sluice_loop_failures_total'), 0)
    assert.equal(sumOf(first, 'sluice_build_info', { role: 'worker' }), 1)
    assert.ok(sumOf(first, 'sluice_database_connections_limit', { pool: 'jobs' })! > 0)
  } finally {
    await Promise.all([api, worker].map(each => each.stop({ keepRunners: false })))
  }
})

test('whose token is asked for, it opens them to nobody else, and nothing else to anybody', async () => {
  const guarded = await service.beside('api', { metricsToken: token, metricsAddresses: undefined })
  try {
    const asked = await ask(guarded.address, '/metrics')
    assert.equal(asked.status, 401)
    assert.equal(asked.headers['www-authenticate'], 'Bearer realm="sluice metrics"')
    assert.match(String(asked.headers['content-type']), /^text\/plain/)
    assert.match(asked.text, /^Metrics are for those who send the token[^\n]+\n$/)
    const authorization = `Bearer ${token}`
    assert.equal(await statusAt(guarded.address, { headers: { authorization } }), 200)
    assert.equal(await statusAt(guarded.address, { headers: { authorization: `${authorization}.` } }), 401)
    assert.equal(
      await statusAt(guarded.address, { headers: { authorization: basicOf('admin', passwordOf('admin')) } }),
      401,
    )
    assert.equal((await ask(guarded.address, '/api/projects', { headers: { authorization } })).status, 401)
  } finally {
    await guarded.stop({ keepRunners: false })
  }
})

test('of addresses that of whoever asks counts, behind a trusted proxy too', async () => {
  const [prometheus, proxy, other] = ['127.0.0.4', '127.0.0.2', '127.0.0.3']
  const metricsAddresses = [prometheus, '203.0.113.0/24']
  const guarded = await service.beside('api', { metricsAddresses, trustedProxies: [proxy] })
  const by = (from: string, forwarded?: string) =>
    statusAt(guarded.address, { from, headers: forwarded ? { 'x-forwarded-for': forwarded } : {} })
  try {
    assert.equal(await by(prometheus), 200)
    assert.equal(await by(other), 403)
    assert.equal(await by(proxy), 403)
    assert.equal(await by(proxy, '203.0.113.7'), 200)
    assert.equal(await by(proxy, '203.0.113.7, 198.51.100.1'), 403)
    assert.equal(await by(other, '203.0.113.7'), 403)
    assert.match((await ask(guarded.address, '/metrics', { from: other })).text, /^Metrics are not for 127\.0\.0\.3: /)
  } finally {
    await guarded.stop({ keepRunners: false })
  }
})

test('where nothing is configured nobody reads anything, be it from this machine', async () => {
  const closed = await service.beside('api', { metricsAddresses: undefined })
  try {
    for (const headers of [
      {},
      { authorization: 'Bearer undefined' },
      { authorization: basicOf('admin', passwordOf('admin')) },
    ]) {
      const { status, text } = await ask(closed.address, '/metrics', { headers })
      assert.equal(status, 403)
      assert.match(text, /^Metrics cannot be read unless SLUICE_METRICS_TOKEN or SLUICE_METRICS_ADDRESSES is set\.\n$/)
    }
  } finally {
    await closed.stop({ keepRunners: false })
  }
})

test('without the database they tell of the process and that it is away, and of everything when it is back', async () => {
  const door = await doorTo(service.testDatabase.appUrl)
  const beside = await service.beside('api', {}, { appUrl: door.url, ownerUrl: service.testDatabase.ownerUrl })
  const ofInstallation = (scraped: Map<string, Scraped>) =>
    [
      'sluice_activities',
      'sluice_jobs',
      'sluice_audit_sealed_seq',
      'sluice_slots_limit',
      'sluice_maintenance_mode',
    ].map(name => scraped.get(name)!.samples.length > 0)
  const isUp = (scraped: Map<string, Scraped>) => sumOf(scraped, 'sluice_database_up')
  const isAway = (scraped: Map<string, Scraped>) => {
    if (isUp(scraped) !== 0) return false
    assert.deepEqual(ofInstallation(scraped), [false, false, false, false, false])
    assert.ok(sumOf(scraped, 'process_resident_memory_bytes')! > 0)
    assert.equal(sumOf(scraped, 'sluice_build_info'), 1)
    return true
  }
  try {
    assert.deepEqual(ofInstallation(await scrapedWhen('it is there', each => isUp(each) === 1, beside.address)), [
      true,
      true,
      true,
      true,
      true,
    ])
    door.shut()
    await scrapedWhen('it is away', isAway, beside.address)
    await door.open()
    await scrapedWhen('it is back', each => isUp(each) === 1, beside.address)
    door.hold()
    await scrapedWhen('nothing is heard of it', isAway, beside.address)
    door.shut()
    await door.open()
    await scrapedWhen('it is heard again', each => isUp(each) === 1, beside.address)
  } finally {
    await beside.stop({ keepRunners: false })
    door.close()
  }
})
