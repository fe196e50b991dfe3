import type { Right, Rights } from '#platform/actor.ts'

/** Fixed paths on which rights are checked: of the installation, of its administration, and of all projects. */
export const fixedPaths = [
  '/',
  '/projects',
  '/events',
  '/authorisation_policies',
  '/system_configuration',
  '/admin',
  '/admin/users',
  '/admin/jobs',
  '/admin/resource_slots',
  '/admin/sites',
  '/admin/workers',
  '/admin/database',
  '/admin/load',
  '/admin/audit_trail',
  '/admin/key_rotations',
  '/admin/data_cleanup_definitions',
] as const

const every: readonly Right[] = ['read', 'update', 'execute', 'delete']

/** Rights that a rule grants on some path, from which a client can tell what a user can do nowhere. */
export const rightsSomewhere = ({ superuser, somewhere }: Rights): Record<string, boolean> =>
  Object.fromEntries(every.map(right => [right, superuser || somewhere?.(right) === true]))

/** Rights on each fixed path, from which a client can tell which of its pages a user may open. */
export const authorisationsOn = (rights: Rights): Record<string, Record<string, boolean>> =>
  Object.fromEntries(
    fixedPaths.map(path => [path, Object.fromEntries(every.map(right => [right, rights.may(right, path)]))]),
  )
