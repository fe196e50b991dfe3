import type pg from 'pg'
import { newInstallation, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * What a command's event costs: commands that record one, over HTTP with one client, and beside them the insert of such
 * an event alone, in the transaction that would be committed anyway. With and without are told apart by that insert.
 */
const rounds = 300

const installation = await newInstallation({ actions: "actions: { one: { run: 'true' } }" })
try {
  const { sluice, ownerUrl } = installation
  const asset = '/api/projects/bench/environments/bench/assets/bench'
  const commands: number[] = []
  const commits: number[] = []
  const withEvents: number[] = []
  await withClient(ownerUrl, async client => {
    await client.query('create table bare_commands (id bigserial primary key, said text not null)')
    for (let round = 0; round < rounds; round++) {
      commands.push(await timed(() => sluice.update(asset, { description: `round ${round}` })))
      commits.push(await timed(() => committed(client, false)))
      withEvents.push(await timed(() => committed(client, true)))
    }
    await client.query('drop table bare_commands')
  })
  const [command, commit, withEvent] = [commands, commits, withEvents].map(each => spreadOf(each.slice(50))) as [
    ReturnType<typeof spreadOf>,
    ReturnType<typeof spreadOf>,
    ReturnType<typeof spreadOf>,
  ]
  const ofEvent = withEvent.p50 - commit.p50
  await print({
    bench: 'event-cost',
    figures: { 'command with its event, ms': command, 'the event of it, ms': ofEvent },
    floors: { 'bare transaction, ms': commit, 'bare transaction with an event, ms': withEvent },
    targets: { 'command with and without its event': { value: command.p50 / (command.p50 - ofEvent), atMost: 1.35 } },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

async function committed(client: pg.Client, event: boolean): Promise<void> {
  await client.query('begin')
  await client.query({ name: 'bare_command', text: 'insert into bare_commands (said) values ($1)', values: ['a word'] })
  if (event)
    await client.query({
      name: 'bare_event',
      text: `insert into events (type, system, username, body, attributes)
             values ('api:nodes:update', true, 'admin', $1, $2)`,
      values: [Buffer.alloc(400, 97), { name: 'bench', request_body_description: 'round' }],
    })
  await client.query('commit')
}
