import { Refused, Unreachable } from '#client/sluice.ts'
import { Button } from '../../components/button/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { Specimen } from '../specimen.tsx'

const retry = () => {}
const refused = (status: number, fault: object) => new Refused('GET', '/api/changes', status, [fault])

export function StatePage() {
  return (
    <>
      <Specimen title="Empty, with the next step">
        <EmptyState
          title="No activities"
          command="sluice run rollout --on /projects/bank/environments/live/assets/front"
        >
          Start a run on the page of an asset:
        </EmptyState>
      </Specimen>
      <Specimen title="Empty, with an action">
        <EmptyState title="No change matches these filters">
          <Button>Clear the filters</Button>
        </EmptyState>
      </Specimen>
      <Specimen title="Failed">
        <ErrorState
          error={refused(500, {
            title: 'Internal error',
            detail: 'It is recorded with its id.',
            code: 'internal_error',
            id: '0197a5c4',
          })}
          onRetry={retry}
        />
      </Specimen>
      <Specimen title="Not permitted">
        <ErrorState
          error={refused(403, { code: 'forbidden', detail: 'You need the right "read" on /admin/jobs.' })}
          onRetry={retry}
        />
      </Specimen>
      <Specimen title="Offline">
        <ErrorState error={new Unreachable()} onRetry={retry} />
      </Specimen>
      <Specimen title="Loading">
        <Skeleton rows={4} />
      </Specimen>
    </>
  )
}
