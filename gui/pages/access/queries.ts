import type { Query } from '../../api/records.ts'
import { apiCommand } from '../../components/command/api-command.ts'
import { listCommand } from '../../components/command/list-command.ts'
import type { AccessSearch } from './search.ts'

/** Queries of the API for the lists of access control. */

export const policyQuery = ({ find }: AccessSearch): Query => ({
  'filter[sorts]': 'name',
  ...(find && { 'filter[name_cont]': find }),
})

export const ruleQuery = ({ find }: AccessSearch): Query => ({
  'filter[sorts]': 'path',
  ...(find && { 'filter[path_cont]': find }),
})

export const userQuery = ({ find, group }: AccessSearch): Query => ({
  'filter[sorts]': 'username',
  ...(find && { 'filter[username_cont]': find }),
  ...(group && { 'filter[groupnames_cont]': group }),
})

export const groupQuery = ({ find }: AccessSearch): Query => ({
  'filter[sorts]': 'groupname',
  ...(find && { 'filter[groupname_cont]': find }),
})

/** Commands that show what a view of access control shows. */
export function accessCommands(search: AccessSearch, me: string): string[] {
  const { view, user: username = me, path, right = 'read' } = search
  if (view === 'users') return [listCommand('users', userQuery(search))]
  if (view === 'paths') return [listCommand('authorisation_rules', ruleQuery(search))]
  if (view === 'groups') return [listCommand('groups', groupQuery(search))]
  if (view === undefined) return [listCommand('authorisation_policies', policyQuery(search))]
  return [
    apiCommand('/api/authorisation_summary', { username }),
    ...(path === undefined ? [] : [apiCommand('/api/authorisation_check', { username, path, right })]),
  ]
}
