import { connect } from '../client/sluice.ts'
import { asset, newInstallation, startHelperProgram, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * Measures the cost of a command's event: the same command over HTTP with one client, alternately with its event and
 * without (`with-and-without-events.ts`), with everything else equal.
 */
const rounds = 600
const warmUp = 60

const installation = await newInstallation({ actions: "actions: { one: { run: 'true' } }" })
try {
  const { ownerUrl, password } = installation
  const { addresses, stop } = await startHelperProgram('with-and-without-events.ts', installation)
  try {
    const [withEvents, without] = addresses.map(url => connect(url, { user: 'admin', password })) as [Client, Client]
    const times = { with: [] as number[], without: [] as number[] }
    await withClient(ownerUrl, async client => {
      const events = async () => (await client.query('select count(*)::int as n from events')).rows[0].n as number
      const before = await events()
      for (let round = 0; round < rounds; round++) {
        times.with.push(await timed(() => withEvents.update(asset, { description: `with its event ${round}` })))
        times.without.push(await timed(() => without.update(asset, { description: `without one ${round}` })))
      }
      const recorded = (await events()) - before
      if (recorded !== rounds) throw new Error(`${2 * rounds} commands recorded ${recorded} events, not ${rounds}`)
    })
    const [command, bare] = [spreadOf(times.with.slice(warmUp)), spreadOf(times.without.slice(warmUp))]
    await print({
      bench: 'event-cost',
      figures: { 'command with its event, ms': command },
      floors: { 'the same command without its event, ms': bare },
      targets: { 'command with and without its event': { value: command.p50 / bare.p50, atMost: 1.35 } },
      databaseUrl: ownerUrl,
    })
  } finally {
    await stop()
  }
} finally {
  await installation.remove()
}

type Client = ReturnType<typeof connect>
