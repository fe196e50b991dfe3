import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { buttonClass } from '../../components/button/button.tsx'
import { activity as texts } from '../../messages/activity.ts'
import type { ActivityKind, ActivityRecord } from './activity-kind.ts'

const RunSheet = lazy(async () => ({ default: (await import('../run/run-sheet.tsx')).RunSheet }))

interface RetryProps {
  readonly kind: ActivityKind
  readonly record: ActivityRecord
}

/** Link that opens the retry of a change, and its dialog where the address says so; nothing if it cannot be retried. */
export function Retry({ kind, record }: RetryProps) {
  const { retry } = useSearch({ from: '/activities/$id' })
  const navigate = useNavigate({ from: '/activities/$id' })
  const { action } = record.attributes
  const can = (record.meta?.['can'] ?? []) as readonly string[]
  if (kind.type !== 'change' || action === undefined || !can.includes('retry')) return null
  return (
    <>
      <Link to="." search={before => ({ ...before, retry: true })} className={buttonClass({ variant: 'primary' })}>
        <RotateCcw size={15} aria-hidden />
        {texts.retry}
      </Link>
      {retry && (
        <Suspense>
          <RunSheet
            subject={{ retryOf: { ...record, attributes: { ...record.attributes, action } } }}
            onClose={() => void navigate({ search: ({ retry: _, ...rest }) => rest })}
          />
        </Suspense>
      )}
    </>
  )
}
