import { useDocument, useRecord } from '../../../api/queries.ts'
import type { Resource } from '../../../api/records.ts'
import type { OwnRecord } from '../../configuration/own-record.ts'
import { every } from '../every.ts'

/** Settings of the whole installation, which its configuration names. */
export function useInstallationSettings() {
  const configuration = useDocument<{ data: Resource }>('/api/system_configuration')
  const path = configuration.data?.data.relationships?.['settings']?.links?.related
  const record = useRecord<'settings'>(path ?? '', undefined, { enabled: path !== undefined, every })
  const data = path !== undefined && record.data ? { path, record: record.data as unknown as OwnRecord } : undefined
  return {
    data,
    error: configuration.error ?? record.error,
    isPending: configuration.isPending || (path !== undefined && record.isPending),
    refetch: path === undefined ? configuration.refetch : record.refetch,
  }
}
