import { recordKey } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { RowStar, Star } from '../../components/star/star.tsx'
import { Specimen } from '../specimen.tsx'

const starred = '/projects/bank/environments/live'
const preferences = recordKey('/api/me/preferences')
// They are neither read again nor forgotten, however long the page is open.
queryClient.setQueryDefaults(preferences, { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY })
queryClient.setQueryData(preferences, { starred_nodes: { [starred]: true } })

export function StarPage() {
  return (
    <>
      <Specimen title="Of a page: with and without a star" row>
        <Star path={starred} name="Live" />
        <Star path="/projects/bank" name="Bank" />
      </Specimen>
      <Specimen title="In a row" row>
        <RowStar name="Live" isStarred onStar={() => {}} />
        <RowStar name="Bank" isStarred={false} onStar={() => {}} />
      </Specimen>
    </>
  )
}
