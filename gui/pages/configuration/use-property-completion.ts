import { useMemo } from 'react'
import { useDocument } from '../../api/queries.ts'
import type { Document, Resource } from '../../api/records.ts'
import type { CompletionSource } from '../../components/editor/completion.ts'
import { schemaOfValues } from './schema-of-values.ts'

type Converged = Document<Resource<{ readonly data: unknown }>>

/**
 * Offers of the completion for properties that are merged with those in force on a node: their keys and values. None until
 * they are read, or if they may not be.
 *
 * @param path of the node; undefined while none is chosen
 */
export function usePropertyCompletion(path: string | undefined): CompletionSource | undefined {
  const { data } = useDocument<Converged>(`/api${path}/converged_properties`, undefined, {
    enabled: path !== undefined,
  })
  const values = data?.data.attributes.data
  return useMemo(() => (values === undefined ? undefined : { schema: schemaOfValues(values) }), [values])
}
