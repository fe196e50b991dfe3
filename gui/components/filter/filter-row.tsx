import { X } from 'lucide-react'
import { useRef } from 'react'
import type { Query } from '#client/sluice.ts'
import type { ListResult } from '../../api/queries.ts'
import { useTotal } from '../../api/use-total.ts'
import { type Noun, filters as texts, totalText } from '../../messages/filters.ts'
import { Button } from '../button/button.tsx'
import styles from './filter-row.module.css'
import { type Changes, filtersInForce, type WordsOfFilters } from './filters-in-force.ts'

interface FilterRowProps<Search extends object> {
  /** Answer of `useList`, or its query with rows made of its records. */
  readonly list: Pick<ListResult<unknown>, 'query'> & { readonly records: readonly unknown[] }
  /** Path and query of the list, by which it is counted. */
  readonly path: string
  readonly query: Query
  readonly noun: Noun
  readonly search: Search
  readonly words: WordsOfFilters<Search>
  readonly onChange: (more: Changes<Search>) => void
  /** Removes all filters. */
  readonly onClear: () => void
}

/** Row above a list: how many records it has, the filters in force, each with a way to remove it, and one for all. */
export function FilterRow<Search extends object>(props: FilterRowProps<Search>) {
  const { list, path, query, noun, search, words, onChange, onClear } = props
  const total = useTotal(list, path, query)
  const filters = filtersInForce(search, words)
  const row = useRef<HTMLDivElement>(null)
  // The button that was pressed disappears; the row keeps the place of a person who moves by keyboard.
  const stay = () => row.current?.focus({ preventScroll: true })
  return (
    <div ref={row} className={styles['row']} tabIndex={-1} role="group" aria-label={texts.inForce}>
      <span className={styles['total']} aria-live="polite">
        {total && totalText(total.count, total.isExact, noun)}
      </span>
      {filters.length > 0 && (
        <ul className={styles['filters']}>
          {filters.map(({ key, text, without }) => (
            <li key={key}>
              <button
                type="button"
                className={styles['filter']}
                title={text}
                onClick={() => {
                  onChange(without)
                  stay()
                }}
              >
                <span className="visually-hidden">{texts.remove}</span>
                <span className={styles['text']}>{text}</span>
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {filters.length > 0 && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            onClear()
            stay()
          }}
        >
          {texts.clearAll}
        </Button>
      )}
    </div>
  )
}
