import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

/** Name and value of a fact; facts whose value is null, undefined, false or empty are left out. */
export type Fact = readonly [name: string, value: ReactNode]

/** List of names and values, such as the details of a record. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <div className={styles['frame']}>
      <dl className={styles['facts']}>
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
      </dl>
    </div>
  )
}
