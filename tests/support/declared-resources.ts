import { join } from 'node:path'
import { passwords } from '../../src/domain/users/index.ts'
import { assemble } from '../../src/main/domains.ts'
import { openLog } from '../../src/main/log.ts'
import { openKeyring, rootKey } from '../../src/platform/crypto/index.ts'
import { extendResources } from '../../src/platform/jsonapi/extend.ts'
import type { Resource } from '../../src/platform/jsonapi/resource.ts'
import type { TestService } from './service.ts'

/** What every domain of the product states of its resources, extended: what a test over all of them goes through. */
export async function declaredResources({ database, dataDir }: TestService): Promise<Resource[]> {
  const key = await rootKey({ given: undefined, file: join(dataDir, 'root.key'), database })
  const { domains } = await assemble({
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
  return extendResources(domains)
}
