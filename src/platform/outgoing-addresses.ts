import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { addressMatcher } from './networks.ts'

/**
 * Addresses that requests of the service itself may reach. A user who chooses a URL must not reach hosts that only this
 * machine can: the link-local addresses where clouds provide credentials never, private and loopback ones only if they
 * are listed.
 */

/** The host name resolves to an address that may not be reached, or to none. Its message may be shown to users. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'AddressRefused'
  }
}

/**
 * The addresses of a host, resolved once: connections use these, because the next answer may differ.
 *
 * @param allowed networks of private addresses that may be reached, such as 10.0.0.0/8
 * @throws AddressRefused
 */
export async function addressesOf(host: string, allowed: readonly string[]): Promise<string[]> {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(name) ? [name] : await resolve(name)
  for (const address of addresses) {
    const kind = kindOf(address, allowed)
    if (kind === 'reachable') continue
    const stands = address === name ? `${host} is` : `${host} stands for ${address},`
    throw new AddressRefused(
      kind === 'private'
        ? `${stands} a private address; SLUICE_PRIVATE_ADDRESSES lists those that may be reached.`
        : `${stands} an address that is never reached.`,
    )
  }
  return addresses
}

/** Lookup for connections: returns these addresses, even if the name resolves to others by then. */
export const alwaysThese = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map(address => ({ address, family: isIP(address) }))
  return (_host, { all: wantsAll }, done) => (wantsAll ? done(null, all) : done(null, all[0]!.address, all[0]!.family))
}

async function resolve(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch (error) {
    throw new AddressRefused(`The name ${name} cannot be resolved (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Pure. An IPv4 address mapped to IPv6 is the IPv4 address. */
export function kindOf(address: string, allowed: readonly string[]): 'reachable' | 'private' | 'never' {
  if (isNeverReached(address)) return 'never'
  return isPrivate(address) && !addressMatcher(allowed)(address) ? 'private' : 'reachable'
}

const isNeverReached = addressMatcher([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::',
  'fe80::/10',
  'ff00::/8',
])
const isPrivate = addressMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::1',
  'fc00::/7',
  'fec0::/10',
  // Addresses in these networks embed IPv4 addresses.
  '64:ff9b::/96',
  '2002::/16',
])
