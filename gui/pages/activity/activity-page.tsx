import { useParams } from '@tanstack/react-router'
import { isStatus } from '../../api/query-client.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { general } from '../../messages/general.ts'
import { shell } from '../../messages/shell.ts'
import { ActivityView } from './activity-view.tsx'
import { useActivity } from './use-activity.ts'

/** Page of one activity, a change or a workflow run. */
export function ActivityPage() {
  const { id } = useParams({ from: '/activities/$id' })
  const { data, error, refetch } = useActivity(id)
  if (data) return <ActivityView key={id} found={data} />
  return (
    <Page
      title={<h1 className={error ? undefined : 'visually-hidden'}>{shell.pages.activities}</h1>}
      documentTitle={shell.pages.activities}
      commands={['sluice list activities']}
    >
      {!error ? (
        <Skeleton rows={10} />
      ) : isStatus(error, 404) ? (
        <EmptyState title={general.notFound} command="sluice changes list">
          {general.notFoundDetail}
        </EmptyState>
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}
