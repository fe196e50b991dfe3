import { rightsFrom } from '../../src/domain/access/index.ts'
import type { Right, Rights } from '../../src/platform/actor.ts'

/** All rights, as the system policy grants them. */
export const superuserRights: Rights = rightsFrom({ superuser: true, blocked: false, rules: [] })

/** Compiled rights of rules that allow these rights on these paths: `{'/projects/bank': ['read']}`. */
export function rightsTo(allowed: Readonly<Record<string, readonly Right[]>>): Rights {
  const flag = (rights: readonly Right[], right: Right) => (rights.includes(right) ? true : null)
  return rightsFrom({
    superuser: false,
    blocked: false,
    rules: Object.entries(allowed).map(([path, rights]) => ({
      path,
      read: flag(rights, 'read'),
      update: flag(rights, 'update'),
      execute: flag(rights, 'execute'),
      delete: flag(rights, 'delete'),
    })),
  })
}
