import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { buttonClass } from '../../components/button/button.tsx'
import { activity as texts } from '../../messages/activity.ts'
import type { ActivityRecord } from './activity-kind.ts'

const RunSheet = lazy(async () => ({ default: (await import('../run/run-sheet.tsx')).RunSheet }))
const WorkflowRetrySheet = lazy(async () => ({
  default: (await import('../run/workflow-retry-sheet.tsx')).WorkflowRetrySheet,
}))

/** Link that opens the retry of an activity, and its dialog where the address says so; nothing if it cannot be retried. */
export function Retry({ record }: { record: ActivityRecord }) {
  const { retry } = useSearch({ from: '/activities/$id' })
  const navigate = useNavigate({ from: '/activities/$id' })
  const can = (record.meta?.['can'] ?? []) as readonly string[]
  if (!can.includes('retry')) return null
  return (
    <>
      <Link to="." search={before => ({ ...before, retry: true })} className={buttonClass({ variant: 'primary' })}>
        <RotateCcw size={15} aria-hidden />
        {texts.retry}
      </Link>
      {retry && (
        <Suspense>
          <Sheet
            record={record}
            onClose={() => void navigate({ search: ({ retry: _, ...rest }) => rest, replace: true })}
          />
        </Suspense>
      )}
    </>
  )
}

function Sheet({ record, onClose }: { record: ActivityRecord; onClose: () => void }) {
  const { action, workflow_code: code, version } = record.attributes
  if (action !== undefined)
    return (
      <RunSheet subject={{ retryOf: { ...record, attributes: { ...record.attributes, action } } }} onClose={onClose} />
    )
  if (code === undefined || version === undefined) return null
  const attributes = { ...record.attributes, workflow_code: code, version }
  return <WorkflowRetrySheet retryOf={{ ...record, attributes }} onClose={onClose} />
}
