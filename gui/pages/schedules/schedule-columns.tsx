import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { anyVersion, write } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { useList } from '../../api/queries.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { StatusIcon, statusWord } from '../../components/status/status.tsx'
import { Switch } from '../../components/switch/switch.tsx'
import { aboveRowLink, type Column, rowLink } from '../../components/table/table.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { Time } from '../../components/time/time.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { schedules as texts } from '../../messages/schedules.ts'
import { isPermitted, lastRunOf, nameOf, nodePathOf, ruleInWords, type Schedule } from './schedule.ts'
import styles from './schedules-page.module.css'
import { readScheduleSearch } from './search.ts'
import { shortTime, timeHere } from './zone-time.ts'

/** Columns of tables of schedules. */
const scheduleColumns: readonly Column<Schedule>[] = [
  {
    id: 'what',
    isFixed: true,
    title: texts.columns.what,
    width: 'minmax(90px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: schedule => (
      <span className={styles['what']}>
        <Link
          to="/schedules"
          search={before => ({ ...readScheduleSearch(before), schedule: schedule.id })}
          className={rowLink}
        >
          {nameOf(schedule.attributes)}
        </Link>
        {schedule.attributes.workflow_code !== null && <Tag>{texts.workflowTag}</Tag>}
        <span className={`only-narrow ${styles['below']}`}>
          <NodePath path={nodePathOf(schedule)} line />
        </span>
        <span className={`only-narrow ${styles['below']}`}>
          {ruleInWords(schedule.attributes)}
          {schedule.attributes.next_run_at !== null && (
            <>
              {' · '}
              <Time at={schedule.attributes.next_run_at} />
            </>
          )}
        </span>
      </span>
    ),
  },
  {
    id: 'where',
    title: texts.columns.where,
    width: 'minmax(90px, 1.1fr)',
    cell: schedule => (
      <span className={aboveRowLink}>
        <NodePath path={nodePathOf(schedule)} links line />
      </span>
    ),
  },
  {
    id: 'rule',
    title: texts.columns.rule,
    width: 'minmax(120px, 1.4fr)',
    cell: ({ attributes }) => (
      <span className={styles['two']}>
        <span>{ruleInWords(attributes)}</span>
        <span className={styles['soft']}>
          {attributes.cron_schedule !== null && <code>{attributes.cron_schedule}</code>} {attributes.time_zone}
        </span>
      </span>
    ),
  },
  {
    id: 'next',
    title: texts.columns.next,
    width: 'minmax(130px, 1.2fr)',
    cell: ({ attributes }) => <NextRun schedule={attributes} />,
  },
  {
    id: 'last',
    title: texts.columns.last,
    width: '124px',
    cell: schedule => <LastRun schedule={schedule} />,
  },
  {
    id: 'enabled',
    name: texts.columns.enabled,
    title: <span className="seen-wide">{texts.columns.enabled}</span>,
    width: '72px',
    narrow: '44px',
    align: 'end',
    cell: schedule => <Enabled schedule={schedule} />,
  },
]

/** Those, and columns that are only shown to those who choose them. */
export const allScheduleColumns: readonly Column<Schedule>[] = [
  ...scheduleColumns,
  {
    id: 'user',
    isExtra: true,
    title: texts.columns.user,
    width: 'minmax(80px, 0.6fr)',
    cell: ({ attributes }) => attributes.created_by,
  },
  {
    id: 'count',
    isExtra: true,
    title: texts.columns.count,
    width: '72px',
    align: 'end',
    cell: ({ attributes }) => attributes.run_count.toLocaleString('en'),
  },
]

function NextRun({ schedule }: { schedule: Schedule['attributes'] }) {
  const { next_run_at: at, time_zone: zone, enabled, disabled_reason: reason } = schedule
  const mine = userTimeZone()
  if (!enabled || at === null)
    return (
      <span className={styles['soft']} title={reason ?? undefined}>
        {reason !== null ? texts.disabledBecause(reason) : enabled ? texts.notDue : texts.isDisabled}
      </span>
    )
  return (
    <span className={styles['two']}>
      <span>{shortTime(at, zone)}</span>
      <span className={styles['soft']}>
        <Time at={at} />
        {shortTime(at, mine) !== shortTime(at, zone) && ` · ${texts.mine(timeHere(at, mine, zone))}`}
      </span>
    </span>
  )
}

/** Query for the newest activities of all schedules, which the rows share. */
const recentQuery = {
  'filter[scheduled_eq]': true,
  'filter[sorts]': 'created_at desc',
  limit: 500,
  'fields[activity]': 'path,action,workflow_code,status_code,created_by,created_at',
} as const

function LastRun({ schedule }: { schedule: Schedule }) {
  const { records, query } = useList<'activity'>('/api/activities', recentQuery)
  const run = lastRunOf(schedule, records)
  if (!run)
    return (
      <span className={styles['soft']}>{query.isSuccess && schedule.attributes.run_count === 0 && texts.neverRan}</span>
    )
  return (
    <Link to="/activities/$id" params={{ id: run.id }} className={`${aboveRowLink} ${styles['last']}`}>
      <StatusIcon status={run.attributes.status_code} labelled />
      <span className="visually-hidden">{statusWord(run.attributes.status_code)}</span>
      <Time at={run.attributes.created_at} />
    </Link>
  )
}

function Enabled({ schedule }: { schedule: Schedule }) {
  const cache = useQueryClient()
  const toast = useToast()
  const name = nameOf(schedule.attributes)
  const enable = useMutation({
    mutationFn: (enabled: boolean) =>
      write('PATCH', `/api/scheduled_activities/${schedule.id}`, { attributes: { enabled } }, anyVersion),
    onSuccess: (_, enabled) => {
      toast.done(enabled ? texts.enabledDone(name) : texts.disabledDone(name))
      for (const key of [listKey('/api/scheduled_activities'), recordKey('/api/scheduled_activities/upcoming')])
        void cache.invalidateQueries({ queryKey: key })
    },
    onError: error => toast.failed(error),
  })
  return (
    <span className={aboveRowLink}>
      <Switch
        label={texts.enable(name)}
        checked={schedule.attributes.enabled}
        onChange={enabled => enable.mutate(enabled)}
        disabledReason={isPermitted(schedule, 'update') ? undefined : texts.needsUpdate}
        busy={enable.isPending}
      />
    </span>
  )
}
