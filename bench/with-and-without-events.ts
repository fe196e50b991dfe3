import { join } from 'node:path'
import { passwords } from '../src/domain/users/index.ts'
import { assemble } from '../src/main/domains.ts'
import { openKeyring, rootKey } from '../src/platform/crypto/index.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { enqueue } from '../src/platform/jobs/job-queue.ts'

/**
 * The API twice in one process, over one pool: as it is, and with commands that record no event. Only possible here:
 * the service has no such setting. Started with the database's URL and the data folder of an installation; prints the
 * two addresses in this order.
 */
const [url = '', dataDir = ''] = process.argv.slice(2)
const database = openDatabase({ url, size: 20, name: 'with and without events' })
const keyring = await openKeyring({
  database,
  rootKey: await rootKey({ given: undefined, file: join(dataDir, 'root.key'), database }),
})
const log = { info: () => {}, warn: console.error, error: console.error }
const { domains, authenticate, record } = await assemble({
  config: {
    dataDir,
    gitProtocols: ['file'],
    authorities: undefined,
    privateAddresses: [],
    settingOverrides: {},
    passedOn: {},
    role: 'api',
  },
  database,
  keyring,
  passwords: passwords(),
  apiUrl: () => '',
  log,
})
const stopping = new AbortController()
const servers = await Promise.all(
  [record, async () => {}].map(each =>
    buildServer({
      domains,
      runtime: { database, record: each, enqueue, log, stopping: stopping.signal },
      keyring,
      authenticate,
      interfaceVersion: 'bench',
    }),
  ),
)
const addresses = await Promise.all(servers.map(server => server.listen({ host: '127.0.0.1', port: 0 })))
console.log(addresses.join(' '))
process.on('SIGTERM', async () => {
  stopping.abort()
  await Promise.all(servers.map(server => server.stop()))
  await database.end()
})
