import { Link } from '@tanstack/react-router'
import { type CSSProperties, useMemo } from 'react'
import { isSecret } from '../../api/secret-reference.ts'
import { aboveRowLink, type Column, type FewColumns, rowLink, Table } from '../../components/table/table.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import { type Leaf, pathText, valueText } from './leaves.ts'
import type { Origin } from './origin.ts'
import { OriginLabel } from './origin-label.tsx'
import { SecretValue } from './secret-value.tsx'

interface LeavesTableProps {
  readonly leaves: readonly Leaf[]
  readonly originOf: (source: string) => Origin
  readonly nodePath: string
  /** Why secrets cannot be revealed; undefined if they can. */
  readonly secretsReason: string | undefined
  /** Text of a key; without it, the path is written with dots. */
  readonly keyText?: (leaf: Leaf) => string
}

/** Table of effective values; the link of a row explains its value. Only the rows in sight are drawn. */
export function LeavesTable({ leaves, originOf, nodePath, secretsReason, keyText }: LeavesTableProps) {
  const columns = useMemo<FewColumns<Column<Leaf>>>(
    () => [
      {
        id: 'key',
        title: texts.columns.key,
        width: 'minmax(160px, 1.1fr)',
        narrow: 'minmax(0, 1fr)',
        cell: leaf => <Key leaf={leaf} text={keyText?.(leaf) ?? pathText(leaf.tokens)} />,
      },
      {
        id: 'value',
        title: texts.columns.value,
        width: 'minmax(160px, 1.4fr)',
        narrow: 'minmax(0, 1fr)',
        cell: ({ value }) =>
          isSecret(value) ? (
            <span className={aboveRowLink}>
              <SecretValue reference={value} nodePath={nodePath} disabledReason={secretsReason} />
            </span>
          ) : (
            <Value value={value} />
          ),
      },
      {
        id: 'origin',
        title: texts.columns.origin,
        width: 'minmax(180px, 1fr)',
        cell: ({ source }) => source !== undefined && <OriginLabel origin={originOf(source)} search={sameTab} />,
      },
    ],
    [originOf, nodePath, secretsReason, keyText],
  )
  return (
    <div className={styles['table']} style={{ '--rows': leaves.length } as CSSProperties}>
      <Table label={texts.effectiveTable} columns={columns} rows={leaves} keyOf={({ pointer }) => pointer} />
    </div>
  )
}

const sameTab = { tab: 'properties' }

/** Path of a value with its last part emphasized; it is a link that explains the value. */
function Key({ leaf, text }: { leaf: Leaf; text: string }) {
  const last = /(?:\[[^[]*\]|[^.[\]]*)$/.exec(text)?.[0] ?? ''
  return (
    <Link
      to="."
      search={(before: Record<string, unknown>) => ({ ...before, pointer: leaf.pointer })}
      resetScroll={false}
      className={`${rowLink} ${styles['key']}`}
      title={text}
    >
      <span className={styles['soft']}>{text.slice(0, text.length - last.length)}</span>
      {last}
    </Link>
  )
}

/** Value in one line; texts without quotes, everything else as JSON in another colour. */
export function Value({ value }: { value: unknown }) {
  const text = valueText(value)
  return (
    <code className={typeof value === 'string' ? styles['text'] : styles['literal']} title={text}>
      {text === '' ? '""' : text}
    </code>
  )
}
