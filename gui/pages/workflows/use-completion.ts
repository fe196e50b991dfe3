import { useMemo } from 'react'
import { useDocument, useList } from '../../api/queries.ts'
import type { CompletionSource } from '../../components/editor/completion.ts'
import type { JsonSchema } from '../../components/editor/json-schema.ts'
import { nodeOffers } from './completion-words.ts'

/** Offers of the completion for definitions of a project: keys and values by the schema, and the paths of the project's nodes. */
export function useCompletion(project: string): CompletionSource {
  const { data: schema } = useDocument<JsonSchema>('/api/workflow_schema')
  const { records } = useList<'node_summary'>('/api/nodes', {
    'filter[under]': `/projects/${project}`,
    'fields[node_summary]': 'path,name',
    limit: 1_000,
  })
  return useMemo(
    () => ({
      ...(schema && { schema }),
      words: nodeOffers(
        project,
        records.map(({ attributes }) => attributes),
      ),
    }),
    [project, records, schema],
  )
}
