import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { created, ended, shop, stepsOf } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { databaseUrl, retryWhileInUse, withClient } from '../support/template-database.ts'

/** The database is older than the running processes: an outdated replica was promoted, or a backup was restored. */

const step = (name: string) => `
  ${name}:
    description: Waits at a gate
    env: { GATES: "{{ gates }}" }
    run: |
      echo ${name} >> "$GATES/ran"
      touch "$GATES/${name}-began"
      until [ -e "$GATES/${name}" ]; do sleep 0.02; done`
const actions = `
actions:${['first', 'second', 'third'].map(step).join('')}
  all: { description: x, steps: [first, second, third] }
`

let service: TestService
let gates: Gates

before(async () => {
  service = await startTestService({ spares: 0 })
  gates = await newGates()
})
after(async () => {
  await service.stop()
  await gates.remove()
})

test('a step that has run is not run again for a database that knows nothing of it, and nothing waits for it', async () => {
  const admin = service.as('admin')
  const { asset } = await shop(service, { 'web/actions.yaml': actions })
  const property_overrides = { gates: gates.folder }
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'all', property_overrides }))
  await gates.reached('first-began')

  await service.halt({ keepRunners: true })
  const goBack = await remember(service.testDatabase.superuserUrl)
  await service.startAgain()
  await gates.open('first')
  await gates.open('second')
  await gates.reached('third-began')

  await service.halt({ keepRunners: true })
  await goBack()
  await service.startAgain()
  const { attributes } = await ended(admin, id)
  assert.equal(attributes.status_code, 'error')
  const steps = await stepsOf(admin, id)
  assert.deepEqual(
    steps.map(each => [each.attributes.action, each.attributes.status_code]),
    [
      ['all', 'error'],
      ['first', 'error'],
      ['second', 'aborted'],
      ['third', 'aborted'],
    ],
  )
  assert.match(steps[1]!.attributes.error_message, /has run already.*earlier time/)
  assert.equal(readFileSync(join(gates.folder, 'ran'), 'utf8'), 'first\nsecond\nthird\n')
  assert.ok(!existsSync(join(gates.folder, 'third')))
})

/** Saves the current database. Returns a function that restores it; meanwhile no other connection may use it. */
async function remember(superuserUrl: string): Promise<() => Promise<void>> {
  const name = new URL(superuserUrl).pathname.slice(1)
  const copy = `${name}_before`
  const onServer = (...statements: string[]) =>
    withClient(databaseUrl(superuserUrl, 'postgres'), async client => {
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      for (const statement of statements) await retryWhileInUse(() => client.query(statement))
    })
  await onServer(`create database ${copy} template ${name}`)
  return () => onServer(`drop database ${name} with (force)`, `alter database ${copy} rename to ${name}`)
}
