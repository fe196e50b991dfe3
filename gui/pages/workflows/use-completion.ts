import { useMemo } from 'react'
import { useList } from '../../api/queries.ts'
import type { CompletionSource } from '../../components/editor/completion.ts'
import { keywordOffers, nodeOffers } from './completion-words.ts'

/** Offers of the completion for definitions of a project: keys, values, and the paths of the project's nodes. */
export function useCompletion(project: string): CompletionSource {
  const { records } = useList<'node_summary'>('/api/nodes', {
    'filter[under]': `/projects/${project}`,
    'fields[node_summary]': 'path,name',
    limit: 1_000,
  })
  return useMemo(
    () => ({
      words: [
        ...keywordOffers,
        ...nodeOffers(
          project,
          records.map(({ attributes }) => attributes),
        ),
      ],
    }),
    [project, records],
  )
}
