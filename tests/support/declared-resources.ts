import { join } from 'node:path'
import { passwords } from '../../src/domain/users/index.ts'
import { type Assembled, assemble } from '../../src/main/domains.ts'
import { openLog } from '../../src/main/log.ts'
import { openKeyring, rootKey } from '../../src/platform/crypto/index.ts'
import { extendResources } from '../../src/platform/jsonapi/extend.ts'
import type { Resource } from '../../src/platform/jsonapi/resource.ts'
import type { TestService } from './service.ts'

/** Declarations of all domains about their resources, extended: for tests over all of them. */
export const declaredResources = async (service: TestService): Promise<Resource[]> =>
  extendResources((await assembledFor(service)).domains)

/** Names of all loops of a service. */
export async function declaredLoops(service: TestService): Promise<string[]> {
  const { domains, runnerDomain } = await assembledFor(service)
  // None of them is run.
  const all = [...domains, runnerDomain({ drivers: new Map(), self: { host: '', pid: 0, started: 0 } })]
  return all.flatMap(({ loops }) => loops ?? []).map(({ name }) => name)
}

async function assembledFor({ database, dataDir }: TestService): Promise<Assembled> {
  const key = await rootKey({ given: undefined, file: join(dataDir, 'root.key'), database })
  return assemble({
    config: {
      authorities: undefined,
      dataDir,
      gitProtocols: [],
      privateAddresses: [],
      settingOverrides: {},
      passedOn: {},
      role: 'api',
    },
    database,
    keyring: await openKeyring({ database, rootKey: key }),
    passwords: passwords(),
    apiUrl: () => '',
    log: openLog('error'),
  })
}
