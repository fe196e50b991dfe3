import { Ban, Check, Minus } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { access } from '../../messages/access.ts'
import { nodeAccess as texts } from '../../messages/node-access.ts'
import table from './may-do.module.css'
import { PolicyLinks } from './policy-links.tsx'
import styles from './rights-table.module.css'
import { type Right, rights } from './search.ts'

export interface RightsRow {
  readonly key: string
  readonly head: ReactNode
  /** Given (true), denied (false), or neither (null); without it, the row is a heading of those below. */
  readonly rights?: Readonly<Record<Right, boolean | null>>
  readonly policies?: readonly { readonly id: string; readonly name: string }[]
  /** What stands in place of no policies. */
  readonly withoutPolicies?: string
  /** Number of rows above it in a tree. */
  readonly depth?: number
}

interface RightsTableProps {
  readonly label: string
  /** Title of the first column. */
  readonly title: string
  readonly rows: readonly RightsRow[]
  /** Words for what is given, denied or neither; those of rules unless given. */
  readonly words?: Words
}

interface Words {
  readonly yes: string
  readonly no: string
}

const ofRules: Words = { yes: texts.allows, no: texts.denies }

/** Rights on the parts of a list, an icon with a name for each, and the policies that they come from. */
export function RightsTable({ label, title, rows, words = ofRules }: RightsTableProps) {
  return (
    <table className={table['table']} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          {rights.map(right => (
            <th key={right} scope="col" className={table['right']}>
              {access.rights[right]}
            </th>
          ))}
          <th scope="col" className={table['policies']}>
            {access.policies}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <Row key={row.key} row={row} words={words} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row, words }: { row: RightsRow; words: Words }) {
  const { head, rights: given, policies = [], withoutPolicies, depth = 0 } = row
  const links =
    policies.length === 0 && withoutPolicies !== undefined ? (
      <span className={styles['soft']}>{withoutPolicies}</span>
    ) : (
      <PolicyLinks policies={policies} />
    )
  return (
    <tr>
      <th scope="row" className={styles['head']} style={{ '--depth': Math.min(depth, 6) } as CSSProperties}>
        {head}
        {given && <span className={styles['below']}>{links}</span>}
      </th>
      {rights.map(right => (
        <td key={right} className={table['right']}>
          {given && <Sign value={given[right]} words={words} />}
        </td>
      ))}
      <td className={table['policies']}>{given && links}</td>
    </tr>
  )
}

function Sign({ value, words }: { value: boolean | null; words: Words }) {
  if (value === null) return <Minus size={14} className={table['no']} role="img" aria-label={texts.saysNothing} />
  return value ? (
    <Check size={16} className={table['yes']} role="img" aria-label={words.yes} />
  ) : (
    <Ban size={14} className={words === ofRules ? styles['denied'] : table['no']} role="img" aria-label={words.no} />
  )
}
