import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ended, linesOf, often, ran, type Shop, type Shown, shop, stepsOf } from '../support/changes.ts'
import { newGates } from '../support/gates.ts'
import { mailServer, type TestMailServer } from '../support/mail-server.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Mails of steps, from their author to their recipients. */

const actions = `
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { action, type Step } from '@sluice/actions'

action('mail', { description: 'Sends what the properties say' }, async step => {
  writeFileSync('report.txt', 'all is well')
  const sent = await step.sendEmail(step.properties['mail'] as never)
  step.log.info('sent: %s', JSON.stringify(sent))
})
action('nothing', { description: 'Does nothing' }, () => {})
action('tell', { description: 'Tells a secret in its subject' }, async step => {
  const secret = (step.properties as { secret: string }).secret
  const made = await step.secrets.get('database', 'password')
  const to = ['ann@example.org', Buffer.from(secret).toString('hex') + '@example.org']
  await step.sendEmail({ to, subject: 'It is ' + secret + ' or ' + made, text: secret })
})
const ask = async (step: Step) => {
  const { gates, id } = step.properties as { gates: string; id?: string }
  const { SLUICE_API_URL: service, SLUICE_API_TOKEN: token, SLUICE_STEP_ID: own } = process.env
  // A key is of the user, whose steps both are.
  const key = id ? 'k2' : 'k1'
  const asked = async (more: object = {}, once = key) => {
    const headers = {
      authorization: 'Bearer ' + token,
      'content-type': 'application/json',
      'idempotency-key': encodeURIComponent(once),
    }
    const body = JSON.stringify({ data: { attributes: { to: ['ann@example.org'], subject: 'once', text: 'x', ...more } } })
    const answer = await fetch(service + '/api/steps/' + (id ?? own) + '/email', { method: 'POST', headers, body })
    return [answer.status, await answer.text()]
  }
  step.log.info('first: %s', JSON.stringify(await asked()))
  step.log.info('second: %s', JSON.stringify(await asked()))
  writeFileSync(gates + '/asked', '')
  const wrong = ['YQ', 'Y Q==', '!!!!', 'YWI=YWI=']
  for (const content of wrong) step.log.info('wrong: %s', (await asked({ attachments: [{ name: 'a', content }] }, content))[0])
  while (!id && !existsSync(gates + '/go')) await pause(20)
}
action('ask', { description: 'Asks by plain requests' }, ask)
action('ask for another', { description: 'The same' }, ask)
`

let mails: TestMailServer
let service: TestService
let admin: Client
let made: Shop

before(async () => {
  mails = await mailServer()
  service = await startTestService({
    config: { smtpServer: mails.server, mailFrom: 'Sluice <sluice@example.org>' },
    users: { anna: [{ path: '/', read: true, execute: true, update: true }] },
  })
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.ts': actions })
})
after(async () => {
  await service.stop()
  await mails.stop()
})
beforeEach(() => {
  mails.refuse = () => undefined
  mails.taking = async () => {}
})

async function states(path: string, data: object): Promise<void> {
  const { body } = await admin.get(path)
  const place = path.endsWith('configuration') ? 'settings' : 'properties'
  const written = await admin.patch(`/api/${place}/${body.data.relationships[place].data.id}`, { data })
  assert.equal(written.status, 200, written.text)
}
const logEvents = (log_email_events: boolean) => states('/api/system_configuration', { log_email_events })

async function mailed(mail: unknown): Promise<Shown> {
  return ran(admin, made.asset, 'mail', { property_overrides: { mail } })
}
async function whyNot(mail: unknown): Promise<string> {
  const change = await mailed(mail)
  assert.equal(change.attributes.status_code, 'error', JSON.stringify(change.attributes))
  const [step] = await stepsOf(admin, change.id)
  return step!.attributes.error_message
}
async function said(change: Shown, word: string): Promise<string | undefined> {
  assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  return lines.find(line => line.startsWith(`${word}: `))?.slice(word.length + 2)
}
const eventsOf = async (change: Shown): Promise<Shown['attributes'][]> =>
  (await admin.get(`/api/events?filter[for_change]=${change.id}&limit=1000`)).body.data
    .map(({ attributes }: Shown) => attributes)
    .filter(({ type }: { type: string }) => type.includes(':email:'))
const last = () => mails.received.at(-1) ?? assert.fail('nothing came')

test('a step sends a mail, which arrives as it was written, and is told who gets it', async () => {
  mails.refuse = address => (address === 'gone@example.org' ? 'no such mailbox' : undefined)
  const change = await mailed({
    to: 'Jürgen Müller <jm@example.org>',
    cc: ['ann@example.org', 'gone@example.org'],
    bcc: 'hidden@example.org',
    replyTo: 'ops@example.org',
    subject: 'Grüße: ✓ fertig',
    text: 'Es ist so weit.',
    html: '<p>Es ist so weit.</p>',
    attachments: ['report.txt', { file: 'report.txt', name: 'Bericht ü.txt' }],
  })
  const { sender, recipients, mail } = last()
  const sent = JSON.parse((await said(change, 'sent'))!)
  const accepted = ['jm@example.org', 'ann@example.org', 'hidden@example.org']
  assert.deepEqual(sent, { messageId: mail.messageId, accepted, rejected: ['gone@example.org'] })
  assert.deepEqual([sender, recipients], ['sluice@example.org', accepted])
  assert.deepEqual(
    [mail.subject, mail.text?.trim(), mail.html?.trim()],
    ['Grüße: ✓ fertig', 'Es ist so weit.', '<p>Es ist so weit.</p>'],
  )
  assert.deepEqual(
    [mail.from?.name, mail.to?.[0]?.name, mail.replyTo?.[0]?.address, mail.bcc],
    ['Sluice', 'Jürgen Müller', 'ops@example.org', undefined],
  )
  const files = mail.attachments.map(({ filename, content }) => [
    filename,
    Buffer.from(content as ArrayBuffer).toString(),
  ])
  assert.deepEqual(files, [
    ['report.txt', 'all is well'],
    ['Bericht ü.txt', 'all is well'],
  ])
  const [step] = await stepsOf(admin, change.id)
  assert.ok(mail.messageId?.startsWith(`<${step!.id}.`), mail.messageId)
  assert.ok(mail.messageId?.endsWith('@example.org>'), mail.messageId)
  assert.deepEqual(await eventsOf(change), [])
})

test('what is wrong with a mail is said all at once, and nothing is sent', async () => {
  const before = mails.handed
  const line = 'one line of 1 to 500 characters, without line breaks and control characters'
  const injected = await whyNot({ to: 'ann@example.org', subject: 'x\r\nBcc: eve@example.org', text: 'x' })
  assert.ok(injected.includes(`subject should be ${line}`), injected)
  const addresses = await whyNot({ to: ['ann', 'a@b, c@d'], replyTo: 'x\n<a@b>', subject: ' ', text: 'x' })
  assert.equal(addresses.split('one address, such as ann@example.org').length, 4, addresses)
  assert.ok(addresses.includes(`subject should be ${line}`), addresses)
  const many = Array.from({ length: 60 }, (_, i) => `n${i}@example.org`)
  assert.match(await whyNot({ to: many, cc: many, subject: 's', text: 'x' }), /have 120 addresses; at most 100 may\.$/)
  const names = { to: 'a@b', subject: 's', text: 'x', attachments: [{ file: 'report.txt', name: 'a/b\r\nX: y' }] }
  assert.match(await whyNot(names), /should be the name of a file, of 1 to 255 characters, without a folder\.$/)
  assert.equal(mails.handed, before)
})

test('where mails are told of, one that was sent is told with whom it was for, and no secret', async () => {
  await logEvents(true)
  const plain = await mailed({ to: 'Ann <ann@example.org>', bcc: 'b@example.org', subject: 'Done', text: 'x' })
  const [step] = await stepsOf(admin, plain.id)
  const [event, ...more] = await eventsOf(plain)
  const { type, sender, recipients, subject, message_id, source_type, source_id } = event
  assert.deepEqual(
    [type, sender, recipients, subject, message_id, source_type, source_id, more],
    [
      'info:email:sent',
      'sluice@example.org',
      ['ann@example.org', 'b@example.org'],
      'Done',
      last().mail.messageId,
      'step',
      step!.id,
      [],
    ],
  )

  const place = { node_path: '/projects/shop', path: 'told', key: 'password' }
  const stored = await created(admin.post('/api/secrets/encrypt', { ...place, value: 'the-secret-of-all' }))
  await states(made.asset, { secret: stored.attributes.reference })
  const told = await ran(admin, made.asset, 'tell')
  assert.equal(told.attributes.status_code, 'success', JSON.stringify(told.attributes))
  assert.match(last().mail.subject ?? '', /^It is the-secret-of-all or \w{32}$/)
  const [masked] = await eventsOf(told)
  assert.deepEqual([masked.subject, masked.recipients], ['It is *** or ***', ['ann@example.org', '***@example.org']])
})

test('a mail that the server refuses fails its step in the words of the server, and is told of', async () => {
  await logEvents(true)
  mails.refuse = address => `no mailbox ${address}`
  const refused = await mailed({ to: 'ann@example.org', subject: 'Done', text: 'x' })
  const [step] = await stepsOf(admin, refused.id)
  const why = /The mail server localhost:\d+ refuses the mail: 550 no mailbox ann@example\.org$/
  assert.match(step!.attributes.error_message, /The mail was not sent\. The mail server/)
  assert.match(step!.attributes.error_message, why)
  const [event, ...more] = await eventsOf(refused)
  assert.deepEqual(
    [event.type, event.recipients, event.subject, more],
    ['error:email:send_failed', ['ann@example.org'], 'Done', []],
  )
  assert.match(event.error, why)
  const secret = await ran(admin, made.asset, 'tell')
  assert.equal(secret.attributes.status_code, 'error')
  const [told] = await eventsOf(secret)
  assert.match(told.error, /550 no mailbox \*\*\*@example\.org/)
  mails.refuse = () => undefined
  mails.taking = () => Promise.reject(new Error('nobody is to be told the-secret-of-all'))
  const [repeated] = await eventsOf(await ran(admin, made.asset, 'tell'))
  assert.match(repeated.error, /nobody is to be told \*\*\*$/)
})

test('a mail is sent once for each key, while the server is slow too, and by nobody but the step itself', async () => {
  await logEvents(false)
  const gates = await newGates()
  const before = mails.received.length
  const { id } = await created(
    admin.post(`${made.asset}/changes`, { action: 'ask', property_overrides: { gates: gates.folder } }),
  )
  await gates.reached('asked')
  assert.equal(mails.received.length, before + 1)
  const [step] = await stepsOf(admin, id)
  const mail = { to: ['ann@example.org'], subject: 's', text: 'x' }
  for (const client of [admin, service.as('anna')]) {
    const refused = await client.post(`/api/steps/${step!.id}/email`, mail)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [403, 'forbidden'])
  }
  const other = await ran(admin, made.asset, 'ask for another', {
    property_overrides: { gates: gates.folder, id: step!.id },
  })
  assert.match((await said(other, 'first'))!, /^\[403,/)
  await gates.open('go')
  await ended(admin, id)
  const change = await ran(admin, made.asset, 'ask', { property_overrides: { gates: gates.folder } })
  assert.equal(await said(change, 'first'), await said(change, 'second'))
  assert.match((await said(change, 'first'))!, /^\[200,/)
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes.message)
  const wrong = lines.filter(line => line.startsWith('wrong: '))
  assert.deepEqual(wrong, Array(4).fill('wrong: 422'), 'what is no base64 is no attachment')
  await gates.remove()
})

test('a mail server that says nothing holds up nobody else', async () => {
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  mails.taking = () => {
    reached.resolve()
    return held.promise
  }
  const slow = mailed({ to: 'ann@example.org', subject: 'Slow', text: 'x' })
  await reached.promise
  const other = await ran(admin, made.asset, 'nothing')
  assert.equal(other.attributes.status_code, 'success', JSON.stringify(other.attributes))
  const locked = await service.database.rows(sql`
    select l.relation::regclass as on_table from pg_locks l join pg_class c on c.oid = l.relation
     where c.relname = 'idempotency_keys'`)
  assert.deepEqual(locked, [])
  held.resolve()
  assert.equal((await slow).attributes.status_code, 'success')
})

test('of a mail that is refused when its step is over, the event tells without the words of the server', async () => {
  await logEvents(true)
  const refusal = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  mails.taking = () => {
    reached.resolve()
    return refusal.promise
  }
  const property_overrides = { mail: { to: 'ann@example.org', subject: 'Too late', text: 'x' } }
  const change = await created(admin.post(`${made.asset}/changes`, { action: 'mail', property_overrides }))
  await reached.promise
  assert.equal((await admin.delete(`/api/changes/${change.id}`)).status, 204)
  await ended(admin, change.id)
  refusal.reject(new Error('nobody wants x'))
  const [event] = await until(
    'it is told of',
    () => eventsOf(change),
    events => events.length > 0,
    often,
  )
  assert.match(event.error, /^The mail server localhost:\d+ refuses the mail\.$/)
})

test('what the service was stopped over is not sent again, and its step says so', async () => {
  const reached = Promise.withResolvers<void>()
  mails.taking = () => {
    reached.resolve()
    return new Promise(() => {})
  }
  const before = mails.handed
  const property_overrides = { mail: { to: 'ann@example.org', subject: 'Cut off', text: 'x' } }
  const { id } = await created(admin.post(`${made.asset}/changes`, { action: 'mail', property_overrides }))
  await reached.promise
  await service.halt({ keepRunners: true })
  await service.startAgain()
  mails.taking = async () => {}
  await ended(admin, id)
  const [step] = await stepsOf(admin, id)
  assert.match(
    step!.attributes.error_message,
    /Whether the mail was sent is not known\. .* when the service was stopped/,
  )
  assert.equal(mails.handed, before + 1)
})

test('an installation without a mail server says so, and what would be right', async () => {
  await service.halt({ keepRunners: false })
  await service.startAgain({ smtpServer: undefined, mailFrom: undefined })
  assert.match(
    await whyNot({ to: 'ann@example.org', subject: 'Done', text: 'x' }),
    /This installation has no mail server: the service is to be started with SLUICE_SMTP_URL and SLUICE_MAIL_FROM\.$/,
  )
})
