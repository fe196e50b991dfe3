import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ConfigurationSearch, readConfigurationSearch } from './search.ts'

type Change = { [name in keyof ConfigurationSearch]?: ConfigurationSearch[name] | undefined }

/** Search parameters of the tab, and how to change some of them; undefined removes one. */
export function useConfigurationSearch(): [ConfigurationSearch, (change: Change, options?: { push: boolean }) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  return [
    readConfigurationSearch(search),
    (change, { push } = { push: false }) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, ...change }),
        replace: !push,
        resetScroll: false,
      }),
  ]
}
