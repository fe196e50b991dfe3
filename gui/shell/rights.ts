import type { Resource, User } from '../api/records.ts'

type Right = 'read' | 'update' | 'delete'
type Rights = Readonly<Record<string, Readonly<Record<Right, boolean>> | undefined>>

const rightsOf = ({ meta }: Resource<User>): Rights => (meta?.['authorisations'] ?? {}) as Rights

/** Whether the user may read a fixed path of the installation, such as `/admin/users`, as `/api/me` says. */
export const mayRead = (me: Resource<User>, path: string): boolean => rightsOf(me)[path]?.read === true

export const mayUpdate = (me: Resource<User>, path: string): boolean => rightsOf(me)[path]?.update === true

export const mayDelete = (me: Resource<User>, path: string): boolean => rightsOf(me)[path]?.delete === true

/** Whether a rule gives the user a right, on whichever path. */
export const maySomewhere = ({ meta }: Resource<User>, right: Right | 'execute'): boolean =>
  (meta?.['somewhere'] as Readonly<Record<string, boolean>> | undefined)?.[right] === true

export const isSuperuser = ({ meta }: Resource<User>): boolean => meta?.['superuser'] === true

/** Whether the user may read one of the paths, or anything below one; without paths, yes. */
export const mayOpen = (me: Resource<User>, { needs }: { readonly needs?: readonly string[] }): boolean =>
  needs === undefined ||
  Object.entries(rightsOf(me)).some(
    ([path, right]) => right?.read && needs.some(each => path === each || path.startsWith(`${each}/`)),
  )
