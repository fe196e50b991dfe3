import { type ColumnsParameter, columnsParameter } from '../../components/list/list-parameters.ts'

/** Search parameters of access control. */
export interface AccessSearch extends ColumnsParameter {
  /** Without it, the policies. */
  readonly view?: 'paths' | 'check' | 'users' | 'groups'
  /** Part of the name in a list. */
  readonly find?: string
  /** Group whose members are listed. */
  readonly group?: string
  /** User, path and right of a check. */
  readonly user?: string
  readonly path?: string
  readonly right?: Right
}

export const rights = ['read', 'update', 'execute', 'delete'] as const
export type Right = (typeof rights)[number]

const views: readonly unknown[] = ['paths', 'check', 'users', 'groups'] satisfies AccessSearch['view'][]

/** Reads the search parameters of an address. */
export function readAccessSearch(search: Readonly<Record<string, unknown>>): AccessSearch {
  const { view, right } = search
  const texts = (['find', 'group', 'user', 'path'] as const).flatMap(name => {
    const value = search[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    return text === '' ? [] : [[name, text]]
  })
  return {
    ...(views.includes(view) && { view: view as 'check' }),
    ...((rights as readonly unknown[]).includes(right) && { right: right as Right }),
    ...Object.fromEntries(texts),
    ...columnsParameter(search),
  }
}

/** Changed search parameters; an undefined or empty one is removed. */
export type AccessChanges = { readonly [Name in keyof AccessSearch]?: AccessSearch[Name] | undefined }

/** What each view of access control gets from the address. */
export interface ViewProps {
  readonly search: AccessSearch
  readonly onChange: (more: AccessChanges) => void
}
