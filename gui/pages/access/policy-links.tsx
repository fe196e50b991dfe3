import { Link } from '@tanstack/react-router'
import { general } from '../../messages/general.ts'
import table from './may-do.module.css'

/** Names of policies with links to their pages. */
export function PolicyLinks({ policies }: { policies: readonly { readonly id: string; readonly name: string }[] }) {
  if (policies.length === 0) return <span>{general.none}</span>
  return (
    <span className={table['links']}>
      {policies.map(({ id, name }) => (
        <Link key={id} to="/access/policies/$id" params={{ id }}>
          {name}
        </Link>
      ))}
    </span>
  )
}
