import { queryOptions } from '@tanstack/react-query'
import { sluice } from '../../api/client.ts'
import { recordKey } from '../../api/keys.ts'
import type { ActivityKind } from './activity-kind.ts'
import { type StepTreeDocument, stepTree } from './step-tree.ts'

/** Read of all steps of an activity, which the parts of its page share. */
export const stepTreeOptions = (kind: ActivityKind, id: string) =>
  queryOptions({
    queryKey: recordKey(`${kind.path(id)}/tree`),
    queryFn: async () => stepTree(await sluice().document<StepTreeDocument>(`${kind.path(id)}/tree`), kind.stepType),
    // Streams keep the page current. Comparing 10,000 steps with those before would be for nothing.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    gcTime: 0,
  })
