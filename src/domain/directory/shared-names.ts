import type { DirectoryPerson } from './ldap.adapter.ts'

/**
 * People of the directory who share one user name. It is unknown which of them signs in: none of them may, and a
 * refresh imports none of them, because their groups would be another person's.
 *
 * @returns by `looseName`
 */
export function sharedNames(people: readonly DirectoryPerson[]): ReadonlyMap<string, readonly DirectoryPerson[]> {
  const named = people.filter(({ username }) => username !== '')
  const byName = Map.groupBy(named, ({ username }) => looseName(username))
  return new Map([...byName].filter(([, entries]) => entries.length > 1))
}

/** Normalized name: a directory compares names in any case, whatever their spaces. */
export const looseName = (username: string): string =>
  username.normalize('NFKC').toUpperCase().normalize('NFKC').replace(/\s+/g, ' ').trim()

const mostNamed = 10

/** A sentence for an event; undefined if there are none. */
export function warningOfShared(shared: readonly (readonly DirectoryPerson[])[]): string | undefined {
  if (shared.length === 0) return undefined
  const named = shared.slice(0, mostNamed).map(entries => {
    const name = entries[0]!.username
    return `${name} (${entries.map(({ dn }) => dn).join('; ')})`
  })
  const more = shared.length > mostNamed ? ` and ${shared.length - mostNamed} more` : ''
  return `Several entries of the directory have the same user name, so it cannot be used to sign in: ${named.join(', ')}${more}.`
}
