import { Link } from '@tanstack/react-router'
import { useList } from '../../../api/queries.ts'
import { nodeTabs as texts } from '../../../messages/projects.ts'
import type { NodeTabProps } from '../node-tab.ts'
import styles from './tabs.module.css'

/**
 * How much was started on a node today, and the state of its model if it has one.
 *
 * @param hasRun whether anything has ended there: else it is not told that nothing was started today
 */
export function Health({ node, path, hasRun }: NodeTabProps & { hasRun: boolean }) {
  const from = startOfToday()
  const { meta, query } = useList<'activity'>('/api/activities', {
    limit: 1,
    total: true,
    'filter[under]': path,
    'filter[created_at_gteq]': from,
    'fields[activity]': 'type',
  })
  const { model_valid: isValid, model_invalid_reason: reason } = node.attributes
  const model = isValid ? 'valid' : reason
  return (
    <>
      {query.isSuccess && (hasRun || meta['total'] !== 0) && (
        <Link to="/activities" search={{ under: path, from }} className={styles['fact']}>
          {texts.runsToday(Number(meta['total']), meta['total_exact'] === true)}
        </Link>
      )}
      {model && (
        <Link
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, tab: 'model' })}
          className={styles['fact']}
        >
          {texts.modelState[model] ?? model}
        </Link>
      )}
    </>
  )
}

/** First instant of the day in the time zone of the browser. */
function startOfToday(): string {
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  return day.toISOString()
}
