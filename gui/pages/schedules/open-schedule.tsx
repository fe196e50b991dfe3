import { useQuery } from '@tanstack/react-query'
import type { ScheduledChange } from '../../api/records.ts'
import { readVersioned } from '../../api/versioned.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { userTimeZone } from '../../components/time/format.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { nodePathOf } from './schedule.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { emptyForm, formOf, type ScheduleForm } from './schedule-form.ts'

interface OpenScheduleProps {
  /** Id of the schedule, or `new`. */
  readonly schedule: string
  /** Values that a new schedule begins with. */
  readonly given: Partial<ScheduleForm>
  readonly onClose: () => void
}

/** Dialog of the schedule in the address. */
export function OpenSchedule({ schedule: id, given, onClose }: OpenScheduleProps) {
  const isNew = id === 'new'
  const found = useQuery({
    queryKey: ['schedule-to-edit', id],
    queryFn: () => readVersioned<ScheduledChange>(`/api/scheduled_activities/${id}`),
    enabled: !isNew,
    // A form must not begin with old values, and what it has is not replaced while somebody types.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isNew) return <ScheduleDialog initial={emptyForm(userTimeZone(), given)} onClose={onClose} />
  if (found.data) {
    const { record } = found.data
    return (
      <ScheduleDialog initial={formOf(record.attributes, nodePathOf(record))} existing={found.data} onClose={onClose} />
    )
  }
  return (
    <Dialog open kind="sheet" onClose={onClose} title={texts.title}>
      <Unread query={found} />
    </Dialog>
  )
}
