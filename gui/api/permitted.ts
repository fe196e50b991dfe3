import type { Resource } from './records.ts'

/** Whether the caller has a right on a record, from its `meta.authorisations`. */
export const isPermitted = (
  record: Pick<Resource, 'meta'> | undefined,
  right: 'update' | 'execute' | 'delete',
): boolean => (record?.meta?.['authorisations'] as Readonly<Record<string, boolean>> | undefined)?.[right] === true
