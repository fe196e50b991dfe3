import { BlockList, isIP } from 'node:net'

/** `10.0.0.0/8`, `fd00::/8`, or one address. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more !== undefined) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

/**
 * Whether an address is in one of these networks, which are parsed once. An IPv4 address mapped to IPv6 counts as the
 * IPv4 address; a text that is no address is in none.
 */
export function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', prefix] = network.split('/')
    const family = isIP(base) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(base, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return address => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
