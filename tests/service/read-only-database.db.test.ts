import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { created, ended, newAsset, often, readyVersion, shop } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'

/**
 * The database is read-only: the former primary is the replica now and its name still leads there, or its operator has
 * closed it until it has room again.
 */

const actions = `
actions:
  held:
    description: Waits at a gate
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
`

let service: TestService
let gates: Gates
let asset: string

before(async () => {
  service = await startTestService({ spares: 0, provokes: [/25006/] })
  gates = await newGates()
  asset = (await shop(service, { 'web/actions.yaml': actions })).asset
})
after(async () => {
  await service.stop()
  await gates.remove()
})

test('meanwhile it is said to be away, and once it writes again everything goes on, on other connections', async () => {
  const admin = service.as('admin')
  const id = await begun('one')
  await onlyReads(true)
  const refused = await admin.patch(asset, { name: 'Meanwhile' })
  assert.equal(refused.status, 503, refused.text)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await admin.get(asset)).status, 200)
  await endsUnheard('one')

  // Existing connections are unchanged: only new connections can write.
  await onlyReads(false)
  const patched = await until(
    'it is written again',
    () => admin.patch(asset, { name: 'Afterwards' }),
    ({ status }) => status !== 503,
    often,
  )
  assert.equal(patched.status, 200, patched.text)
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  // Jobs of the queue run, too, and no request uses an old connection.
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/2.0', 'main')
  for (let n = 0; n < 12; n++) await newAsset(admin, `after-${n}`)
})

test('the service ends when it is told to, and what it could not store is stored at its next start', async () => {
  const id = await begun('two')
  await onlyReads(true)
  await endsUnheard('two')
  await service.halt({ keepRunners: true })
  await onlyReads(false)
  await service.startAgain()
  assert.equal((await ended(service.as('admin'), id)).attributes.status_code, 'success')
})

/** A change that waits at the gate of this name. */
async function begun(name: string): Promise<string> {
  const property_overrides = { gates: gates.folder, name }
  const { id } = await created(service.as('admin').post(`${asset}/changes`, { action: 'held', property_overrides }))
  await gates.reached(`${name}-began`)
  return id
}

/** Opens the gate, and waits until its result could not be stored, and its session has retried. */
async function endsUnheard(name: string): Promise<void> {
  const before = service.logged.length
  await gates.open(name)
  const refused = (line: string) => line.includes('25006') && line.includes('storing messages of a runner failed')
  const tries = async () => service.logged.slice(before).filter(refused).length
  await until('the result cannot be stored', tries, count => count > 1, often)
}

/** Sets the mode of new connections; to become read-only, all existing ones are ended. */
const onlyReads = (yes: boolean): Promise<void> =>
  withClient(service.testDatabase.superuserUrl, async client => {
    const { name } = service.testDatabase
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database ${name} ${yes ? 'set default_transaction_read_only = on' : 'reset all'}`)
    if (yes)
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [name],
      )
  })
