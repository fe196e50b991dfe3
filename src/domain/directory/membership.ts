import { isOneLine } from '#platform/display-name.ts'
import { foldedName } from '#platform/folded-name.ts'
import { dnKey } from './distinguished-name.ts'

/** A group as the directory has it. */
export interface DirectoryGroup {
  readonly dn: string
  readonly name: string
  /** Distinguished names of people and groups. */
  readonly members: readonly string[]
  /** User names (the groups of POSIX systems). */
  readonly memberNames: readonly string[]
}

/** Whether a group can have this name here: otherwise it is skipped, with its members. */
export const isGroupName = (name: string): boolean => name !== '' && [...name].length <= 255 && isOneLine(name)

/** Names of the groups that a person is in, directly or through nested groups. Pure; handles cycles. */
export function membership(groups: readonly DirectoryGroup[]): (person: { dn: string; username: string }) => string[] {
  const byMember = Map.groupBy(
    groups.flatMap(group => group.members.map(member => ({ member: dnKey(member), group }))),
    ({ member }) => member,
  )
  const byName = Map.groupBy(
    groups.flatMap(group => group.memberNames.map(name => ({ name: foldedName(name), group }))),
    ({ name }) => name,
  )
  const holding = (dn: string) => (byMember.get(dnKey(dn)) ?? []).map(({ group }) => group)
  return ({ dn, username }) => {
    const found = new Set<DirectoryGroup>()
    const look = [...holding(dn), ...(byName.get(foldedName(username)) ?? []).map(({ group }) => group)]
    for (let group = look.pop(); group; group = look.pop()) {
      if (found.has(group)) continue
      found.add(group)
      look.push(...holding(group.dn))
    }
    return [...new Set([...found].map(({ name }) => name).filter(isGroupName))].sort()
  }
}
