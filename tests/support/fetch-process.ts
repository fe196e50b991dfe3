import { type GitProtocol, openGit } from '../../src/domain/git/index.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'

/** A process that fetches one remote, for tests that kill it. Its argument: JSON. */
const { url, dataDir, rootKey, protocols, remoteId } = JSON.parse(process.argv[2]!) as {
  url: string
  dataDir: string
  rootKey: string
  protocols: GitProtocol[]
  remoteId: string
}
const database = openDatabase({ url, name: 'fetch-process' })
const keyring = await openKeyring({ database, rootKey: Buffer.from(rootKey, 'hex') })
const git = await openGit({
  database,
  keyring,
  dataDir,
  protocols,
  privateAddresses: ['127.0.0.0/8'],
  environment: { PATH: process.env['PATH']! },
})
await git.fetch(remoteId)
await database.end()
