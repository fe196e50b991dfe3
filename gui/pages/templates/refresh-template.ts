import type { QueryClient } from '@tanstack/react-query'
import { listKey, recordKey } from '../../api/keys.ts'

/** Reads a template, and the lists that have it, again after it was changed. */
export async function refreshTemplate(cache: QueryClient, path: string): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: recordKey(path) }),
    cache.invalidateQueries({ queryKey: listKey('/api/templates') }),
    cache.invalidateQueries({ queryKey: listKey(path.replace(/[^/]+$/, '').replace(/\/$/, '')) }),
    cache.invalidateQueries({ queryKey: listKey(path.replace(/\/templates\/[^/]+$/, '/git_remotes')) }),
  ])
}
