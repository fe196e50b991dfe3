import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble } from '../src/main/domains.ts'
import { openApiDocument } from '../src/platform/http/openapi.ts'
import { type Route, routesOf } from '../src/platform/http/routes.ts'
import { extendResources } from '../src/platform/jsonapi/extend.ts'
import type { Resource } from '../src/platform/jsonapi/resource.ts'

/**
 * The OpenAPI document of this checkout. The domains are built as for a service, but only their declarations are read:
 * any access to the database, a key or the network throws here. Its version is left out, because it names a build, and
 * the interface does not change with every build.
 */
export async function currentInterface(): Promise<object> {
  const { routes, resources } = await currentRoutes()
  return openApiDocument(routes, resources, '')
}

/** Routes and resources that the interface is generated from. */
export async function currentRoutes(): Promise<{ routes: Route[]; resources: Resource[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-interface-'))
  try {
    const { domains } = await assemble({
      config: {
        dataDir,
        gitProtocols: ['https'],
        authorities: undefined,
        privateAddresses: [],
        settingOverrides: {},
        passedOn: {},
        role: 'all',
      },
      database: unreachable('the database'),
      keyring: unreachable('the keys'),
      passwords: unreachable('passwords'),
      log: unreachable('the log'),
      apiUrl: () => 'http://127.0.0.1',
    })
    const resources = extendResources(domains)
    return { routes: routesOf(domains, resources), resources }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function unreachable(what: string): never {
  const refuse = (_: object, name: string | symbol) => {
    throw new Error(`A description of the interface may not depend on ${what} (asked for ${String(name)})`)
  }
  return new Proxy({}, { get: refuse }) as never
}
