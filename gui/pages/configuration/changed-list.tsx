import { Tag } from '../../components/chip/chip.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './changed-list.module.css'
import type { ChangedValue } from './changed-values.ts'
import { isHiddenText } from './changed-values.ts'
import configuration from './configuration.module.css'
import { pathText } from './leaves.ts'
import { Value } from './leaves-table.tsx'
import type { Part } from './node.ts'

interface ChangedListProps {
  readonly label: string
  readonly values: readonly ChangedValue[]
  readonly part: Part
  /** Pointers that another user changed too. */
  readonly inBoth?: ReadonlySet<string>
  /** Words for what differs, and for no difference; those of two versions unless given. */
  readonly kinds?: Readonly<Record<ChangedValue['kind'], string>>
  readonly same?: string
}

/** Values shown at most; the text of the document has all of them. */
const most = 200

/** Values that differ between two versions; of secrets only that they do. */
export function ChangedList(props: ChangedListProps) {
  const { label, values, part, inBoth, kinds = texts.kinds, same = texts.noDifference } = props
  if (values.length === 0) return <p className={configuration['soft']}>{same}</p>
  return (
    <ul className={styles['changed']} aria-label={label}>
      {values.slice(0, most).map(value => (
        <li key={value.pointer} data-both={inBoth?.has(value.pointer) || undefined}>
          <span className={styles['changedHead']}>
            <code>{part === 'settings' ? value.tokens.join('.') : pathText(value.tokens)}</code>
            <Tag>{kinds[value.kind]}</Tag>
            {value.isHidden && <Tag>{texts.secret}</Tag>}
            {inBoth?.has(value.pointer) && <Tag>{texts.changedByBoth}</Tag>}
          </span>
          <Values value={value} isOfNodes={props.kinds !== undefined} />
        </li>
      ))}
      {values.length > most && <li className={configuration['soft']}>{texts.moreChanges(values.length - most)}</li>}
    </ul>
  )
}

/** @param isOfNodes the values are those of two nodes: neither is gone or new */
function Values({ value: { kind, before, after, isHidden }, isOfNodes }: { value: ChangedValue; isOfNodes: boolean }) {
  const [Before, After] = isOfNodes ? (['span', 'span'] as const) : (['del', 'ins'] as const)
  if (isHidden && kind === 'changed') return <span className={configuration['soft']}>{texts.hiddenChange}</span>
  return (
    <span className={styles['changedValues']}>
      {kind !== 'added' && (
        <Before>
          <Shown value={before} />
        </Before>
      )}
      {kind === 'changed' && <span aria-hidden>{isOfNodes ? '|' : '→'}</span>}
      {kind !== 'removed' && (
        <After>
          <Shown value={after} />
        </After>
      )}
    </span>
  )
}

const Shown = ({ value }: { value: unknown }) => (isHiddenText(value) ? <code>••••••</code> : <Value value={value} />)
