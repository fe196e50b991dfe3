import { useMemo } from 'react'
import { useRecord } from '../../api/queries.ts'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './changed-list.module.css'
import { ChangedList } from './changed-list.tsx'
import { changedPointers, changedValues, inBoth, isSame } from './changed-values.ts'
import configuration from './configuration.module.css'
import type { Data } from './data.ts'
import type { Part } from './node.ts'
import type { OwnRecord } from './own-record.ts'

interface ConflictChangesProps {
  readonly own: string
  readonly part: Part
  /** Version that the edit began from. */
  readonly base: OwnRecord
  /** Version that was saved meanwhile. */
  readonly theirs: OwnRecord
  /** The edited document. */
  readonly mine: Data
  /** Whether they are merged when the user says so, in a form, instead of in a text below. */
  readonly isForm?: boolean
}

/** Changes of the other user and of oneself since the version from which both began. */
export function ConflictChanges({ own, part, base, theirs, mine, isForm = false }: ConflictChangesProps) {
  const [from, to] = [base.attributes.version, theirs.attributes.version]
  // The service compares secrets as well, which the two documents hide.
  const compared = useRecord<'properties_version'>(`${own}/versions/${to}`, { against: from })
  const pointers = compared.data?.meta?.['changed_pointers'] as readonly string[] | undefined
  const [other, self, both] = useMemo(() => {
    const [before, after] = [base.attributes.data, theirs.attributes.data]
    const other = changedValues(before, after, pointers ?? changedPointers(before, after))
    const self = changedValues(before, mine, changedPointers(before, mine))
    const alike = new Set(
      self
        .filter(value => other.some(({ pointer, after }) => pointer === value.pointer && isSame(after, value.after)))
        .map(({ pointer }) => pointer),
    )
    const differ = (values: typeof self) => values.map(({ pointer }) => pointer).filter(each => !alike.has(each))
    const [theirPointers, ownPointers] = [differ(other), differ(self)]
    return [other, self, new Set([...inBoth(theirPointers, ownPointers), ...inBoth(ownPointers, theirPointers)])]
  }, [base, theirs, mine, pointers])
  return (
    <section className={styles['sides']} aria-label={texts.changedSince(from)}>
      <h2>{texts.changedSince(from)}</h2>
      <div className={styles['side']}>
        <h3>{texts.theirs(theirs.attributes.created_by, to)}</h3>
        <ChangedList label={texts.theirs(theirs.attributes.created_by, to)} values={other} part={part} inBoth={both} />
      </div>
      <div className={styles['side']}>
        <h3>{texts.mine}</h3>
        <ChangedList label={texts.mine} values={self} part={part} inBoth={both} />
      </div>
      {!isForm && <p className={configuration['soft']}>{both.size > 0 ? texts.bothChanged : texts.noneInBoth}</p>}
    </section>
  )
}
